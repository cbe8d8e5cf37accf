/**
 * The small parts of a decision, alone: run by JMH, which makes its own classes of them.
 *
 * <p>Wall time of one thread on warm caches. What a part costs within a decision is told by the
 * contest of parts.
 */
@NullMarked
package io.quotatree.bench.jmh;

import org.jspecify.annotations.NullMarked;
