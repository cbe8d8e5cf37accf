package io.quotatree.gateway.server;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Linux to which of the sockets that share an address it should give new connections.
 *
 * <p>By itself it deals them out to all, and those that it has dealt to a socket are reset when
 * that one is closed before it took them. So a socket that is to leave has them dealt to another
 * first, takes what is still its own, and is closed then. The means is a filter program for the
 * group of sockets (SO_ATTACH_REUSEPORT_CBPF) of one instruction, which answers the number of a
 * socket in the order of their binding; where there is none of the number, Linux deals as before.
 */
final class Steering {

  private static final Logger log = LoggerFactory.getLogger(Steering.class);

  private static final int SOL_SOCKET = 1;
  private static final int SO_ATTACH_REUSEPORT_CBPF = 51;

  /** {@code struct sock_filter}: a 16-bit code, two jumps of 8 bits, a 32-bit constant. */
  private static final int FILTER_BYTES = 8;

  private static final short RETURN_CONSTANT = 0x06;

  /** {@code struct sock_fprog}: a 16-bit length, and on the next multiple of 8 an address. */
  private static final int PROGRAM_BYTES = 16;

  private static final int ADDRESS_AT = 8;

  private static final RawUnixChannelOption ATTACH =
      new RawUnixChannelOption(
          "SO_ATTACH_REUSEPORT_CBPF", SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, PROGRAM_BYTES);

  private Steering() {}

  /** Has all new connections dealt to one socket of those that share an address with this one. */
  static void to(int number, Channel socket) {
    if (!(socket instanceof EpollServerSocketChannel) || Long.BYTES != Buffer.addressSize()) {
      return;
    }
    ByteBuffer filter = ByteBuffer.allocateDirect(FILTER_BYTES).order(ByteOrder.nativeOrder());
    filter.putShort(RETURN_CONSTANT).put((byte) 0).put((byte) 0).putInt(number).flip();
    ByteBuffer program = ByteBuffer.allocateDirect(PROGRAM_BYTES).order(ByteOrder.nativeOrder());
    program.putShort((short) 1).putLong(ADDRESS_AT, Buffer.memoryAddress(filter));
    program.clear();
    try {
      socket.config().setOption(ATTACH, program);
    } catch (RuntimeException e) {
      // A kernel without it; then connections that it holds for us when we leave are reset.
      log.debug("new connections cannot be steered", e);
    }
  }
}
