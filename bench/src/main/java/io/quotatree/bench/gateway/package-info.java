/**
 * Measures the gateway beside other proxies: each is a process of its own before the same upstream,
 * and has its turns in random order within each round.
 *
 * <p>Start at {@link io.quotatree.bench.gateway.GatewayBench}. Knows the gateway by its launcher
 * alone.
 */
@NullMarked
package io.quotatree.bench.gateway;

import org.jspecify.annotations.NullMarked;
