/**
 * YAML text as a small immutable tree whose every value knows its line and column, and a table of
 * keys by which such a tree is read.
 *
 * <p>Start at {@link io.quotatree.quotafile.yaml.Yaml}, made by {@link
 * io.quotatree.quotafile.yaml.YamlText}; {@link io.quotatree.quotafile.yaml.Section} and {@link
 * io.quotatree.quotafile.yaml.Shape} say what may stand where, read it, and tell it as JSON Schema.
 * Everything that is wrong is told to {@link io.quotatree.quotafile.yaml.Problems}, all of it at
 * once. Nothing here knows quotas; no type of the YAML library is seen outside.
 */
@NullMarked
package io.quotatree.quotafile.yaml;

import org.jspecify.annotations.NullMarked;
