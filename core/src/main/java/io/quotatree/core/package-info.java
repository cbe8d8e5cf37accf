/**
 * The engine to embed: layered quotas over the JDK alone.
 *
 * <p>A request becomes a plan, a ledger charges the plan in one step, the answer is a decision. The
 * concepts stand one to a package below this one; start in {@code limit} for the words and in
 * {@code engine} for the way a decision is made.
 *
 * <p>Nothing here may know files, HTTP, a framework or any library but the JDK.
 */
@NullMarked
package io.quotatree.core;

import org.jspecify.annotations.NullMarked;
