/**
 * The decision API: decisions for who brings the request's facts as JSON, and what is done with a
 * decision later.
 *
 * <p>Start at {@link io.quotatree.gateway.decision.DecisionCalls}. It holds no rules of quotas, and
 * must not know where it is shown: on the admin address, or on one of its own behind {@link
 * io.quotatree.gateway.decision.DecisionHandler}.
 */
@NullMarked
package io.quotatree.gateway.decision;

import org.jspecify.annotations.NullMarked;
