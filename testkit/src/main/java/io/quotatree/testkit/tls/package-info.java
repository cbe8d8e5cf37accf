/**
 * Certificates for tests, made on the spot.
 *
 * <p>Start at {@link io.quotatree.testkit.tls.TestCertificate}. It knows the JDK alone.
 */
@NullMarked
package io.quotatree.testkit.tls;

import org.jspecify.annotations.NullMarked;
