/**
 * Listeners: where the gateway meets the network, and how it starts and stops.
 *
 * <p>Start at {@link io.quotatree.gateway.server.Gateway}. The only package here that waits for
 * anything. It must not know what a request is answered.
 */
@NullMarked
package io.quotatree.gateway.server;

import org.jspecify.annotations.NullMarked;
