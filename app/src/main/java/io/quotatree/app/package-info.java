/**
 * The composition root: {@code quotatree serve} and the one runnable jar.
 *
 * <p>Only here do all modules meet. Start in {@link io.quotatree.app.Main}.
 */
@NullMarked
package io.quotatree.app;

import org.jspecify.annotations.NullMarked;
