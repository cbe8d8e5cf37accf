/**
 * The tree of quotas: what was declared, which quotas apply to a request, and in which order.
 *
 * <p>Start at {@link io.quotatree.core.policy.QuotaTree}, the declared tree, and {@link
 * io.quotatree.core.policy.Policy}, the compiled one. Nothing here counts usage.
 */
@NullMarked
package io.quotatree.core.policy;

import org.jspecify.annotations.NullMarked;
