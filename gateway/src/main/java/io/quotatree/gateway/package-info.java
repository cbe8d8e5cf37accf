/**
 * The network doors: reverse proxy, decision API and administration on event loops.
 *
 * <p>A door turns bytes into a request and a decision into bytes; it holds no rule of its own.
 * Nothing here may block, save in {@code server}, where start and stop wait.
 */
@NullMarked
package io.quotatree.gateway;

import org.jspecify.annotations.NullMarked;
