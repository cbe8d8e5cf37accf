/**
 * A plain reference of what decisions should be, to hold real ledgers against.
 *
 * <p>Start at {@link io.quotatree.testkit.oracle.OracleLedger}. It is slow and obvious on purpose:
 * big integers, lists of grants, a scan of every line for every request. Of the core it knows the
 * words of limits and the declared tree and request, and must know nothing of how the core matches,
 * counts or decides.
 */
@NullMarked
package io.quotatree.testkit.oracle;

import org.jspecify.annotations.NullMarked;
