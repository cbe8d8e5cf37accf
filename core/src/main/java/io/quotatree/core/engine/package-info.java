/**
 * The limiter: a policy, a ledger and a clock joined into decisions.
 *
 * <p>Start at {@link io.quotatree.core.engine.Limiter}.
 */
@NullMarked
package io.quotatree.core.engine;

import org.jspecify.annotations.NullMarked;
