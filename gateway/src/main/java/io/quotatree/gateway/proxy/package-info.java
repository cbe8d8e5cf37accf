/**
 * The reverse proxy: what happens to one request between its client and an upstream.
 *
 * <p>Start at {@link io.quotatree.gateway.proxy.ProxyHandler}: canonical path, route, identity,
 * decision, upstream, in this order. {@link io.quotatree.gateway.proxy.Serving} is what it serves
 * by and what a reload replaces. It must not know quota files, listeners, or how quotas are
 * counted.
 */
@NullMarked
package io.quotatree.gateway.proxy;

import org.jspecify.annotations.NullMarked;
