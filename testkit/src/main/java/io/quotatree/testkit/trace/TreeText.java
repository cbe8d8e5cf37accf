package io.quotatree.testkit.trace;

import io.quotatree.core.policy.QuotaTree;

/** Trees as a person who hunts a fault reads them. */
final class TreeText {

  private TreeText() {}

  static String of(QuotaTree tree) {
    return "%s\n       %s\n       %s\n       %s\n       %s\n       routes %s"
        .formatted(tree.order(), tree.node(), tree.caller(), tree.user(), tree.api(), tree.routes())
        .replaceAll("Origin\\[[^]]*], ?", "")
        .replaceAll(", origin=Origin\\[[^]]*]", "")
        .replace("OptionalInt.empty", "-");
  }
}
