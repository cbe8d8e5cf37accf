/**
 * The reference held to figures worked out by hand.
 *
 * <p>Start at {@code AcceptedScenariosTest}. Nothing here asks a real ledger.
 */
@NullMarked
package io.quotatree.testkit.oracle;

import org.jspecify.annotations.NullMarked;
