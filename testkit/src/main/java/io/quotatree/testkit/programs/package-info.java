/**
 * Programs that others wrote, for tests that want a real one at the other end: found on the PATH,
 * else fetched from Debian once and kept.
 *
 * <p>Start at {@link io.quotatree.testkit.programs.DebianProgram}. Nothing here installs anything,
 * needs to be root, or knows what is tested.
 */
@NullMarked
package io.quotatree.testkit.programs;

import org.jspecify.annotations.NullMarked;
