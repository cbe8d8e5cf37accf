/**
 * The process that one contender runs in: it is told what to do line by line, and answers with
 * figures.
 *
 * <p>Start at {@link io.quotatree.bench.worker.Worker}. It compares nothing.
 */
@NullMarked
package io.quotatree.bench.worker;

import org.jspecify.annotations.NullMarked;
