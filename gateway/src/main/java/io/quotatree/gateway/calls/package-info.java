/**
 * Calls: an HTTP API as a table of rows, each a method, a path and what it does.
 *
 * <p>Start at {@link io.quotatree.gateway.calls.Call} and {@link
 * io.quotatree.gateway.calls.CallTable}. What every call needs is here once: bounded bodies, media
 * types, JSON read strictly, 404 and 405, problems. It must not know what any call does, nor who
 * may call.
 */
@NullMarked
package io.quotatree.gateway.calls;

import org.jspecify.annotations.NullMarked;
