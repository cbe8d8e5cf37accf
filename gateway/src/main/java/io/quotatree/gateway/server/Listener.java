package io.quotatree.gateway.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One address that is listened on: its socket, and the connections that came by it. */
@Sharable
final class Listener extends ChannelInboundHandlerAdapter {

  private final ClientConnections connections;
  private final Guard guard;

  /** Written when the socket is bound, before the gateway's start is over; read at its end. */
  private volatile @Nullable Channel socket;

  Listener(ClientConnections connections, Guard guard) {
    this.connections = connections;
    this.guard = guard;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    socket = context.channel();
  }

  ClientConnections connections() {
    return connections;
  }

  /** Whether one more connection fits; called when one is there. */
  boolean takesAnother() {
    return guard.takesConnection(connections.count());
  }

  /**
   * Leaves the address to others.
   *
   * @return ends when each connection that was taken stands in its pipeline
   */
  CompletableFuture<Void> leave() {
    Channel bound = socket;
    CompletableFuture<Void> left = new CompletableFuture<>();
    if (bound == null) {
      left.complete(null);
    } else {
      bound.close().addListener(closed -> connections.settle(left));
    }
    return left;
  }
}
