/**
 * The commands that need no server: check, explain, test, replay.
 *
 * <p>They start in a blink, so nothing here may load the gateway or a network library.
 */
@NullMarked
package io.quotatree.cli;

import org.jspecify.annotations.NullMarked;
