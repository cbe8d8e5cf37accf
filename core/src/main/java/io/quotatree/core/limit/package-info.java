/**
 * The words of quotas: layers, rates, limits, quotas and what a decision reports of them.
 *
 * <p>Start at {@link io.quotatree.core.limit.Quota}. Everything here is an immutable value; nothing
 * here knows how usage is counted, where, or for whom.
 */
@NullMarked
package io.quotatree.core.limit;

import org.jspecify.annotations.NullMarked;
