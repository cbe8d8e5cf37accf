/** Measures. */
@NullMarked
package io.quotatree.bench;

import org.jspecify.annotations.NullMarked;
