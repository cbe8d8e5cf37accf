package io.quotatree.gateway.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.nio.NioChannelOption;
import io.quotatree.http.Problem;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

/**
 * The transport that Vert.x runs on, with a door of ours before each listener: it is the one place
 * where a connection can be met before its first request.
 *
 * <p>All but the listeners' set-up is the transport's own.
 */
final class Doors implements Transport {

  private static final byte[] TOO_MANY =
      RawAnswer.of(
          "503 Service Unavailable",
          Problem.unavailable("the gateway has as many connections as it takes"));

  private final Transport own;
  private final Function<NetServerOptions, Listener> listeners;

  /**
   * Doors before the listeners of a transport.
   *
   * @param listeners tells a server's listener by its options
   */
  Doors(Transport own, Function<NetServerOptions, Listener> listeners) {
    this.own = own;
    this.listeners = listeners;
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    own.configure(options, domainSocket, bootstrap);
    if (!(options instanceof HttpServerOptions http)) {
      return;
    }
    if (options.isReusePort() && own == io.vertx.core.transport.Transport.NIO.implementation()) {
      // The native transports see to it themselves; this one never does.
      bootstrap.option(NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT), true);
    }
    Listener listener = listeners.apply(options);
    bootstrap.handler(listener);
    bootstrap.childHandler(door(listener, http, bootstrap.config().childHandler()));
  }

  private static ChannelHandler door(
      Listener listener, HttpServerOptions options, ChannelHandler server) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        if (!listener.takesAnother()) {
          // Not now: a channel can be written to once it is registered, and this is a part of that.
          channel.eventLoop().execute(() -> turnAway(channel, options));
          return;
        }
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addLast("client", new ClientConnection(listener.connections()));
        pipeline.addLast(server);
        // Before all that reads HTTP; over TLS what comes there is in the clear again.
        pipeline.addAfter(
            options.isSsl() ? "handshaker" : "client", "strict", new StrictReading(options));
      }
    };
  }

  private static void turnAway(Channel channel, HttpServerOptions options) {
    if (options.isSsl()) {
      var unused = channel.close();
    } else {
      var unused =
          channel
              .writeAndFlush(Unpooled.wrappedBuffer(TOO_MANY))
              .addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public boolean supportsDomainSockets() {
    return own.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return own.supportFileRegion();
  }

  @Override
  public boolean isAvailable() {
    return own.isAvailable();
  }

  @Override
  public Throwable unavailabilityCause() {
    return own.unavailabilityCause();
  }

  @Override
  public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
    return own.convert(address);
  }

  @Override
  public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
    return own.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return own.ioHandlerFactory();
  }

  @Override
  public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ioRatio) {
    return own.eventLoopGroup(type, threads, factory, ioRatio);
  }

  @Override
  public DatagramChannel datagramChannel() {
    return own.datagramChannel();
  }

  @Override
  @SuppressWarnings("deprecation") // the transport's own interface has it
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return own.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return own.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return own.serverChannelFactory(domainSocket);
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    own.configure(channel, options);
  }

  @Override
  public void configure(
      ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
    own.configure(options, connectTimeout, domainSocket, bootstrap);
  }
}
