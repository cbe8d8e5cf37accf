package io.quotatree.gateway;

import io.netty.channel.socket.DuplexChannel;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An upstream on an event loop that behaves, request by request, as its path says. */
final class StormUpstream {

  private static final String HEAD_END = "\r\n\r\n";
  private static final Pattern LENGTH = Pattern.compile("content-length: (\\d+)");

  private final Vertx vertx;
  private final int port;

  StormUpstream(Vertx vertx) {
    this.vertx = vertx;
    // Whoever is left by it gets a reset.
    NetServerOptions options = new NetServerOptions().setHost("127.0.0.1").setSoLinger(0);
    port =
        vertx
            .createNetServer(options.setPort(0))
            .connectHandler(socket -> new Talk(socket).begin())
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
  }

  int port() {
    return port;
  }

  private final class Talk {
    private final NetSocket socket;
    private Buffer read = Buffer.buffer();
    private boolean tunnel;
    private boolean early;

    Talk(NetSocket socket) {
      this.socket = socket;
    }

    void begin() {
      socket.exceptionHandler(gone -> {});
      socket.handler(this::take);
    }

    private void take(Buffer piece) {
      if (tunnel) {
        socket.write(piece);
        return;
      }
      read.appendBuffer(piece);
      String text = read.toString(StandardCharsets.ISO_8859_1);
      int headEnd = text.indexOf(HEAD_END);
      if (headEnd < 0) {
        return;
      }
      String head = text.substring(0, headEnd).toLowerCase(Locale.ROOT);
      String path = head.split(" ", 3)[1];
      if (path.equals("/early") && !early) {
        early = true;
        answer("HTTP/1.1 413 Too Much\r\nContent-Length: 2\r\n\r\nno");
      }
      Matcher length = LENGTH.matcher(head);
      int end =
          headEnd + HEAD_END.length() + (length.find() ? Integer.parseInt(length.group(1)) : 0);
      boolean whole = head.contains("chunked") ? text.endsWith("0\r\n\r\n") : text.length() >= end;
      if (whole) {
        read = Buffer.buffer();
        if (early) {
          early = false;
        } else {
          behave(path);
        }
      }
    }

    private void behave(String path) {
      switch (path) {
        case "/silent" -> {
          // Until the gateway or its client has enough.
        }
        case "/reset" -> socket.close();
        case "/garbage" -> answer("SSH-2.0-OpenSSH\r\n");
        case "/halfclosed" ->
            halfClose(
                (DuplexChannel) ((NetSocketInternal) socket).channelHandlerContext().channel());
        case "/half" -> {
          answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
          socket.close();
        }
        case "/slow" -> vertx.setTimer(5, id -> answer(ok()));
        case "/endless" ->
            answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
        case "/trailers" ->
            answer(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n");
        case "/chat", "/chat/short" -> {
          tunnel = true;
          answer("HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhi");
          if (path.endsWith("short")) {
            socket.close();
          }
        }
        default -> answer(ok());
      }
    }

    private String ok() {
      return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    }

    private void answer(String text) {
      socket.write(text);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // who is gone need not be told
    private static void halfClose(DuplexChannel channel) {
      channel.shutdownOutput();
    }
  }
}
