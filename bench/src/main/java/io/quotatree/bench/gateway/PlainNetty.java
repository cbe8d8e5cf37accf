package io.quotatree.bench.gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The least that a proxy on Netty does: reads messages on one side and writes them on the other. It
 * knows no limits, no errors, no slow clients and no fields of its own, and is no proxy to use: it
 * is the bound of what the JVM can do here.
 */
public final class PlainNetty {

  private PlainNetty() {}

  /** Listens on the first port, on a loop for each core, and passes on to the second. */
  public static void main(String[] ports) throws InterruptedException {
    int service = Integer.parseInt(ports[1]);
    MultiThreadIoEventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            Runtime.getRuntime().availableProcessors(), EpollIoHandler.newFactory());
    Map<EventLoop, Deque<Channel>> idle = new ConcurrentHashMap<>();
    new ServerBootstrap()
        .group(loops)
        .channel(EpollServerSocketChannel.class)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel client) {
                Deque<Channel> own =
                    idle.computeIfAbsent(client.eventLoop(), loop -> new ArrayDeque<>());
                client.pipeline().addLast(new HttpServerCodec(), new Front(service, own));
              }
            })
        .bind("127.0.0.1", Integer.parseInt(ports[0]))
        .sync();
  }

  /** A client's side. */
  private static final class Front extends ChannelInboundHandlerAdapter {

    private final int service;
    private final Deque<Channel> idle;
    private final Deque<Object> waiting = new ArrayDeque<>();
    private @Nullable Channel behind;
    private boolean connecting;

    Front(int service, Deque<Channel> idle) {
      this.service = service;
      this.idle = idle;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (behind == null && !connecting) {
        behind = idle.poll();
        if (behind == null) {
          connect(context);
        } else {
          behind.pipeline().get(Back.class).client = context.channel();
        }
      }
      if (behind == null) {
        waiting.add(message);
      } else {
        pass(behind, message);
      }
    }

    private void pass(Channel to, Object message) {
      if (message instanceof LastHttpContent) {
        behind = null;
        var unused = to.writeAndFlush(message);
      } else {
        var unused = to.write(message);
      }
    }

    private void connect(ChannelHandlerContext context) {
      connecting = true;
      Back back = new Back(idle, context.channel());
      var unused =
          new Bootstrap()
              .group(context.channel().eventLoop())
              .channel(EpollSocketChannel.class)
              .handler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(new HttpClientCodec(), back);
                    }
                  })
              .connect("127.0.0.1", service)
              .addListener(
                  (ChannelFuture connected) -> {
                    connecting = false;
                    behind = connected.channel();
                    for (Object message = waiting.poll();
                        message != null;
                        message = waiting.poll()) {
                      pass(connected.channel(), message);
                    }
                  });
    }
  }

  /** The upstream's side. */
  private static final class Back extends ChannelInboundHandlerAdapter {

    private final Deque<Channel> idle;
    private Channel client;

    Back(Deque<Channel> idle, Channel client) {
      this.idle = idle;
      this.client = client;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof LastHttpContent) {
        idle.push(context.channel());
        var unused = client.writeAndFlush(message);
      } else {
        var unused = client.write(message);
      }
    }
  }
}
