/**
 * The admin address: health, readiness and metrics.
 *
 * <p>Start at {@link io.quotatree.gateway.admin.AdminHandler}. It must not know the proxy's
 * requests.
 */
@NullMarked
package io.quotatree.gateway.admin;

import org.jspecify.annotations.NullMarked;
