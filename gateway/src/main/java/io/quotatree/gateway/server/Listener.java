package io.quotatree.gateway.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One address that is listened on: its socket, and the connections that came by it. */
@Sharable
final class Listener extends ChannelInboundHandlerAdapter {

  /**
   * Long enough for handshakes on this machine and near it, and for the socket to hand over what it
   * holds.
   */
  private static final long SETTLING_MILLIS = 100;

  /** The socket of a gateway that was started later, and that of one that was started before. */
  private static final int LATER = 1;

  private static final int EARLIER = 0;

  private final ClientConnections connections;
  private final Guard guard;

  /** Written when the socket is bound, before the gateway's start is over; read at its end. */
  private volatile @Nullable Channel socket;

  /** Connections so far. Belongs to the socket's own event loop. */
  private long accepted;

  Listener(ClientConnections connections, Guard guard) {
    this.connections = connections;
    this.guard = guard;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    socket = context.channel();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object connection) {
    accepted++;
    context.fireChannelRead(connection);
  }

  ClientConnections connections() {
    return connections;
  }

  /** Whether one more connection fits; called when one is there. */
  boolean takesAnother() {
    // Counted before it is judged: several event loops ask at the same time.
    if (guard.takesConnection(connections.expect())) {
      return true;
    }
    connections.giveUp();
    return false;
  }

  /**
   * Leaves the address to others.
   *
   * @param neighbours whether there may be others
   * @return ends when each connection that was taken stands in its pipeline
   */
  CompletableFuture<Void> leave(Settings.Neighbours neighbours) {
    CompletableFuture<Void> left = new CompletableFuture<>();
    Channel bound = socket;
    if (bound == null) {
      left.complete(null);
    } else if (neighbours == Settings.Neighbours.NONE) {
      close(bound, left);
    } else {
      bound.eventLoop().execute(() -> steer(bound, left));
    }
    return left;
  }

  /** Most often who leaves came first. Whoever gets more connections still has come later. */
  private void steer(Channel bound, CompletableFuture<Void> left) {
    Steering.to(LATER, bound);
    after(
        bound,
        () -> {
          long before = accepted;
          after(
              bound,
              () -> {
                if (accepted == before) {
                  close(bound, left);
                } else {
                  Steering.to(EARLIER, bound);
                  after(bound, () -> close(bound, left));
                }
              });
        });
  }

  private static void after(Channel bound, Runnable work) {
    var unused = bound.eventLoop().schedule(work, SETTLING_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void close(Channel bound, CompletableFuture<Void> left) {
    var unused = bound.close().addListener(closed -> connections.settle(left));
  }
}
