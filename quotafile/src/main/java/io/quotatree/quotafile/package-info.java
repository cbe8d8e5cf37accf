/**
 * Quota files: YAML to policy, with diagnostics that name line and column.
 *
 * <p>Also reload by difference and the explanations of a policy as text and JSON. It must not know
 * HTTP, ledgers or who asks; no type of the YAML library appears in a public signature.
 */
@NullMarked
package io.quotatree.quotafile;

import org.jspecify.annotations.NullMarked;
