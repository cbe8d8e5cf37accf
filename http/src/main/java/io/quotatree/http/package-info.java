/**
 * HTTP without a framework: a request's identity, and a decision as header fields and problem
 * documents.
 *
 * <p>Start at {@link io.quotatree.http.IdentityReader} for what comes in, and at {@link
 * io.quotatree.http.QuotaReplies} for what goes out.
 *
 * <p>Every rounding that a client sees happens here, in one place. It knows the core alone; no
 * server, no quota file.
 */
@NullMarked
package io.quotatree.http;

import org.jspecify.annotations.NullMarked;
