/**
 * What operators see of decisions: metrics.
 *
 * <p>Start at {@link io.quotatree.observe.Metrics}.
 *
 * <p>It listens to the core's events and to the doors. It decides nothing and must not know HTTP
 * servers or quota files.
 */
@NullMarked
package io.quotatree.observe;

import org.jspecify.annotations.NullMarked;
