/**
 * Scenario files and their runner: a quota file tried out in virtual time.
 *
 * <p>Start at {@link io.quotatree.scenario.ScenarioReader}, which turns a file into a {@link
 * io.quotatree.scenario.Scenario} or into all of its errors, then at {@link
 * io.quotatree.scenario.ScenarioRunner}. It knows the core and quota files; which ledger counts is
 * its caller's choice. It reads no clock: time is what the scenario says it is.
 */
@NullMarked
package io.quotatree.scenario;

import org.jspecify.annotations.NullMarked;
