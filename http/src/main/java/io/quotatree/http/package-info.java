/**
 * HTTP without a framework: a request's identity, and a decision as header fields and problem
 * documents.
 *
 * <p>Every rounding that a client sees happens here, in one place. It knows the core alone; no
 * server, no quota file.
 */
@NullMarked
package io.quotatree.http;

import org.jspecify.annotations.NullMarked;
