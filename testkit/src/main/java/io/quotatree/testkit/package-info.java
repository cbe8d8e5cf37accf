/**
 * What every ledger is held to: contract tests, a plain reference ledger, seeded traces and a proxy
 * that injects faults.
 *
 * <p>Only tests depend on this module. It knows the core and the test libraries, and no module
 * above the core.
 */
@NullMarked
package io.quotatree.testkit;

import org.jspecify.annotations.NullMarked;
