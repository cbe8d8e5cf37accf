package io.quotatree.redis;

import java.util.concurrent.CompletionStage;

/** The servers of a store, and how connections to them are made. */
sealed interface Servers permits OneServer, ClusterServers {

  /** Makes a connection, in the background. */
  CompletionStage<Link> connect();

  /**
   * What is to be used in place of a connection that gives no answers: another server may stand in
   * for the one it leads to. The same one where that knows by itself where to go.
   */
  CompletionStage<Link> connectAgain(Link silent);

  /** Whether keys are spread over several servers, by their slots. */
  boolean isSpread();

  /** Ends all connections. */
  void close();
}
