package io.quotatree.app;

import io.quotatree.quotafile.QuotaFile;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this gateway. */
final class NodeId {

  private NodeId() {}

  /** The file's, else the host's. */
  static String of(QuotaFile file) {
    return file.server().nodeId().orElseGet(NodeId::ofHost);
  }

  private static String ofHost() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      // A host whose own name leads nowhere; the name was all that was wanted.
      String message = String.valueOf(e.getMessage());
      int colon = message.indexOf(':');
      return colon > 0 ? message.substring(0, colon) : "localhost";
    }
  }
}
