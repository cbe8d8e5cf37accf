/**
 * What operators see: decision log, metrics, heavy hitters, reports and alerts.
 *
 * <p>It listens to the core's events and to the doors. It decides nothing and must not know HTTP
 * servers or quota files.
 */
@NullMarked
package io.quotatree.observe;

import org.jspecify.annotations.NullMarked;
