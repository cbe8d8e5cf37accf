/**
 * What is remembered of refusals, so that who is refused again and again does not cost the shared
 * store a question each time.
 *
 * <p>Start at {@link io.quotatree.core.memo.RememberingLedger}. Nothing here counts, and nothing is
 * ever granted from memory.
 */
@NullMarked
package io.quotatree.core.memo;

import org.jspecify.annotations.NullMarked;
