/**
 * The admin address: who may come in, health, metrics, and the calls that operators make.
 *
 * <p>Start at {@link io.quotatree.gateway.admin.AdminHandler}. It must not know the proxy's
 * requests.
 */
@NullMarked
package io.quotatree.gateway.admin;

import org.jspecify.annotations.NullMarked;
