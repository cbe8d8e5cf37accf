package io.quotatree.redis.servers;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EpollProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * How connections are made, to servers of any kind.
 *
 * @param timeout of each try
 * @param login what the store knows this gateway by; null for nothing, or the address's own
 * @param atSentinels what Sentinels know it by; null for nothing
 * @param authorities whose signatures are trusted; null for those of the Java platform
 * @param certificate that this gateway shows; null for none
 * @param key of that certificate
 * @param mostWaiting questions that may be under way
 */
public record Connecting(
    Duration timeout,
    @Nullable Login login,
    @Nullable Login atSentinels,
    @Nullable Path authorities,
    @Nullable Path certificate,
    @Nullable Path key,
    int mostWaiting) {

  /** A store that is back is used again as soon as that. */
  private static final Duration RECONNECT = Duration.ofMillis(200);

  /** Where slots are is asked that often, for changes that nothing else tells of. */
  private static final Duration REFRESH = Duration.ofSeconds(5);

  /** A connection on which nothing comes back for that long is made anew. */
  private static final Duration DEAD_AFTER = Duration.ofSeconds(8);

  /**
   * A store that is not connected yet.
   *
   * @param timer what the store does now and then; it is not ended with it
   */
  public Store store(Address address, ScheduledExecutorService timer) {
    return new Store(to(address), timer);
  }

  /** The same, of a store whose keys are to be deleted in the end. */
  public NotingStore notingStore(Address address, ScheduledExecutorService timer) {
    return new NotingStore(to(address), timer);
  }

  private Servers to(Address address) {
    ClientResources resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(Delay.constant(RECONNECT))
            .build();
    address.uris().forEach(this::complete);
    if (address.isOfCluster()) {
      RedisClusterClient client = RedisClusterClient.create(resources, address.uris());
      client.setOptions(ofCluster());
      return new ClusterServers(client, resources);
    }
    RedisClient client = RedisClient.create(resources);
    client.setOptions(with(ClientOptions.builder()).build());
    return new OneServer(client, resources, address.uris().get(0));
  }

  private void complete(RedisURI uri) {
    tune(uri);
    if (login != null) {
      login.at(uri);
    }
    for (RedisURI sentinel : uri.getSentinels()) {
      tune(sentinel);
      if (atSentinels != null) {
        atSentinels.at(sentinel);
      }
    }
  }

  private void tune(RedisURI uri) {
    uri.setTimeout(timeout);
    // Else each connection tells the library's name, for which a user needs the right to CLIENT.
    uri.setLibraryName("");
    uri.setLibraryVersion("");
  }

  /**
   * Where slots are is also asked when a redirection is met or a server is gone, as the library
   * does by itself. Nodes that a redirection names need not be known yet.
   */
  private ClusterClientOptions ofCluster() {
    ClusterTopologyRefreshOptions refresh =
        ClusterTopologyRefreshOptions.builder()
            .enablePeriodicRefresh(REFRESH)
            .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
            .refreshTriggersReconnectAttempts(1)
            .build();
    ClusterClientOptions.Builder builder =
        ClusterClientOptions.builder()
            .topologyRefreshOptions(refresh)
            .validateClusterNodeMembership(false);
    with(builder);
    return builder.build();
  }

  /**
   * While there is no connection, calls fail at once, and those under way when it is lost fail and
   * are not sent again: a decision that nobody waits for must not be charged later.
   */
  private ClientOptions.Builder with(ClientOptions.Builder builder) {
    return builder
        .autoReconnect(true)
        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(2 * mostWaiting)
        .socketOptions(socket())
        .sslOptions(ssl());
  }

  private SocketOptions socket() {
    SocketOptions.Builder builder =
        SocketOptions.builder()
            .connectTimeout(timeout)
            .keepAlive(
                SocketOptions.KeepAliveOptions.builder()
                    .enable()
                    .idle(Duration.ofSeconds(5))
                    .interval(Duration.ofSeconds(1))
                    .count(3)
                    .build());
    if (EpollProvider.isAvailable()) {
      // Only the native transport knows of it.
      builder.tcpUserTimeout(
          SocketOptions.TcpUserTimeoutOptions.builder()
              .enable()
              .tcpUserTimeout(DEAD_AFTER)
              .build());
    }
    return builder.build();
  }

  private SslOptions ssl() {
    SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
    if (authorities != null) {
      ssl.trustManager(authorities.toFile());
    }
    if (certificate != null && key != null) {
      ssl.keyManager(certificate.toFile(), key.toFile(), null);
    }
    return ssl.build();
  }
}
