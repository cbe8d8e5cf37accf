package io.quotatree.core.policy;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;

/**
 * One quota that applies to a request, for explanations.
 *
 * @param layer its layer
 * @param subject whose quota it is
 * @param quota the quota in force, with its origin
 */
public record PlannedQuota(Layer layer, String subject, Quota quota) {}
