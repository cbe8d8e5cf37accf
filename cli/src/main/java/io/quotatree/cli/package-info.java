/**
 * The commands that need no server: check, explain, test, schema.
 *
 * <p>Start at {@link io.quotatree.cli.QuotatreeCommands}. Commands start in a blink, so nothing
 * here may load the gateway, a network library or a logging framework; JSON is written by a
 * streaming generator that is loaded only when it is asked for. Reports go to standard output,
 * progress and complaints to standard error.
 */
@NullMarked
package io.quotatree.cli;

import org.jspecify.annotations.NullMarked;
