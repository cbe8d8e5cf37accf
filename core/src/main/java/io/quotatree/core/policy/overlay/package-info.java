/**
 * Overrides: quotas that operators set for a time, in place of those of the file.
 *
 * <p>Start at {@link io.quotatree.core.policy.overlay.Overlay}, which lays them over a tree and
 * ends them; {@link io.quotatree.core.policy.overlay.OverridePlace} is what they can be set for,
 * and {@link io.quotatree.core.policy.overlay.OverrideStore} where they survive. How a quota is
 * written is the affair of whoever gives the overlay its reader, and who may set one that of the
 * door.
 */
@NullMarked
package io.quotatree.core.policy.overlay;

import org.jspecify.annotations.NullMarked;
