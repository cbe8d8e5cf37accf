package io.quotatree.gateway.admin;

import io.quotatree.core.policy.overlay.Overlay;
import java.util.List;
import java.util.function.Supplier;

/**
 * How overrides are put in force.
 *
 * @param overlay knows and keeps them
 * @param apply puts what the overlay knows in force now
 * @param idle those that the quotas in force have no place for
 */
public record Overriding(Overlay overlay, Runnable apply, Supplier<List<Overlay.Idle>> idle) {}
