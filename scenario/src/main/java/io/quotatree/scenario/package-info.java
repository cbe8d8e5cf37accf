/**
 * Scenario files and their runner: a quota file tried out in virtual time.
 *
 * <p>It knows the core and quota files. It reads no clock: time is what the scenario says it is.
 */
@NullMarked
package io.quotatree.scenario;

import org.jspecify.annotations.NullMarked;
