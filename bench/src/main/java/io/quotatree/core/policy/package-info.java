/**
 * A door into the core's package of the same name, for measuring what it keeps to itself.
 *
 * <p>Only {@link io.quotatree.core.policy.NameHashing} stands here; nothing else may.
 */
@NullMarked
package io.quotatree.core.policy;

import org.jspecify.annotations.NullMarked;
