package io.quotatree.gateway;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.proxy.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real gRPC client and a real gRPC server, with the gateway between them. */
final class GrpcTest {

  private static final MethodDescriptor<String, String> UNARY = method("Unary", MethodType.UNARY);
  private static final MethodDescriptor<String, String> COUNT =
      method("Count", MethodType.SERVER_STREAMING);
  private static final MethodDescriptor<String, String> CHAT =
      method("Chat", MethodType.BIDI_STREAMING);

  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private Server server;

  private static MethodDescriptor<String, String> method(String name, MethodType type) {
    return MethodDescriptor.<String, String>newBuilder()
        .setFullMethodName(MethodDescriptor.generateFullMethodName("shop.Orders", name))
        .setType(type)
        .setRequestMarshaller(new Words())
        .setResponseMarshaller(new Words())
        .build();
  }

  private static final class Words implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @BeforeEach
  void serve() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder("shop.Orders")
                    .addMethod(UNARY, ServerCalls.asyncUnaryCall(GrpcTest::unary))
                    .addMethod(COUNT, ServerCalls.asyncServerStreamingCall(GrpcTest::count))
                    .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(GrpcTest::chat))
                    .build())
            .build()
            .start();
  }

  private static void unary(String said, StreamObserver<String> answer) {
    if (said.equals("fail")) {
      answer.onError(Status.FAILED_PRECONDITION.withDescription("not today").asRuntimeException());
    } else {
      answer.onNext(said + "!");
      answer.onCompleted();
    }
  }

  private static void count(String upTo, StreamObserver<String> answer) {
    for (int i = 1; i <= Integer.parseInt(upTo); i++) {
      answer.onNext(Integer.toString(i));
    }
    answer.onCompleted();
  }

  private static StreamObserver<String> chat(StreamObserver<String> answer) {
    return new StreamObserver<>() {
      @Override
      public void onNext(String said) {
        answer.onNext(said + "?");
      }

      @Override
      public void onError(Throwable gone) {
        // The client has left.
      }

      @Override
      public void onCompleted() {
        answer.onCompleted();
      }
    };
  }

  @AfterEach
  void stop() throws Exception {
    for (ManagedChannel channel : channels) {
      channel.shutdownNow().awaitTermination(20, TimeUnit.SECONDS);
    }
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    server.shutdownNow().awaitTermination(20, TimeUnit.SECONDS);
  }

  @AfterAll
  static void nothingWasLost() {
    LeakRecorder.assertNoLeak();
  }

  private RunningGateway gateway(QuotaTree tree) {
    RunningGateway gateway =
        RunningGateway.of(Trees.exact(tree))
            .to(new Target(Target.Transport.H2_CLEAR, "127.0.0.1", server.getPort()))
            .start();
    open.add(gateway);
    return gateway;
  }

  private ManagedChannel channel(RunningGateway gateway) {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress(
                "127.0.0.1", gateway.port(), InsecureChannelCredentials.create())
            .disableRetry()
            .build();
    channels.add(channel);
    return channel;
  }

  private static String ask(io.grpc.Channel channel, String what) {
    return ClientCalls.blockingUnaryCall(channel, UNARY, CallOptions.DEFAULT, what);
  }

  private static StatusRuntimeException failing(io.grpc.Channel channel, String what) {
    try {
      ask(channel, what);
    } catch (StatusRuntimeException e) {
      return e;
    }
    throw new AssertionError("the call went well");
  }

  private static QuotaTree callers(Quota quota) {
    return QuotaTree.empty().withCaller(Trees.callers(quota));
  }

  @Test
  void calls_of_every_kind_pass_with_their_trailers() throws Exception {
    RunningGateway gateway = gateway(callers(Quota.of(Allowance.UNLIMITED).withConcurrency(1)));
    ManagedChannel channel = channel(gateway);
    for (int i = 0; i < 20; i++) {
      assertThat(ask(channel, "hello" + i)).isEqualTo("hello" + i + "!");
    }
    Status failed = failing(channel, "fail").getStatus();
    assertThat(failed.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(failed.getDescription()).isEqualTo("not today");
    Iterator<String> counted =
        ClientCalls.blockingServerStreamingCall(channel, COUNT, CallOptions.DEFAULT, "1000");
    int last = 0;
    while (counted.hasNext()) {
      last = Integer.parseInt(counted.next());
    }
    assertThat(last).isEqualTo(1000);
    assertThat(ask(channel, "x".repeat(1_000_000))).hasSize(1_000_001);
    gateway.awaitQuiet();
  }

  @Test
  void a_conversation_holds_its_permit_until_it_ends_or_is_cancelled() throws Exception {
    RunningGateway gateway = gateway(callers(Quota.of(Allowance.UNLIMITED).withConcurrency(1)));
    ManagedChannel channel = channel(gateway);
    for (int i = 0; i < 20; i++) {
      BlockingQueue<String> heard = new LinkedBlockingQueue<>();
      StreamObserver<String> talk =
          ClientCalls.asyncBidiStreamingCall(
              channel.newCall(CHAT, CallOptions.DEFAULT), hearing(heard));
      for (int turn = 0; turn < 3; turn++) {
        talk.onNext("so" + turn);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("so" + turn + "?");
      }
      assertThat(failing(channel, "x").getStatus().getCode())
          .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      if (i % 2 == 0) {
        talk.onCompleted();
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("done");
      } else {
        talk.onError(Status.CANCELLED.asRuntimeException());
      }
      gateway.awaitQuiet();
    }
  }

  private static StreamObserver<String> hearing(BlockingQueue<String> heard) {
    return new StreamObserver<>() {
      @Override
      public void onNext(String said) {
        heard.add(said);
      }

      @Override
      public void onError(Throwable gone) {
        heard.add("gone");
      }

      @Override
      public void onCompleted() {
        heard.add("done");
      }
    };
  }

  @Test
  void B73_a_refused_call_is_told_in_grpcs_own_words_and_when_to_come_back() {
    RunningGateway gateway = gateway(callers(Trees.window(1, Trees.MINUTE)));
    ManagedChannel channel = channel(gateway);
    AtomicReference<Metadata> head = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    io.grpc.Channel watched =
        ClientInterceptors.intercept(
            channel, MetadataUtils.newCaptureMetadataInterceptor(head, trailers));
    assertThat(ask(watched, "one")).isEqualTo("one!");
    assertThat(
            requireNonNull(head.get())
                .get(Metadata.Key.of("ratelimit", Metadata.ASCII_STRING_MARSHALLER)))
        .isEqualTo("\"caller\";r=0;t=60");
    for (MethodDescriptor<String, String> method : List.of(UNARY, COUNT)) {
      StatusRuntimeException refused = refused(watched, method);
      assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(refused.getStatus().getDescription()).isEqualTo("Too many requests");
      assertThat(requireNonNull(trailers.get()).get(PUSHBACK)).isEqualTo("60000");
    }
    gateway.ticker.advance(Trees.MINUTE);
    assertThat(ask(watched, "two")).isEqualTo("two!");
  }

  private static StatusRuntimeException refused(
      io.grpc.Channel channel, MethodDescriptor<String, String> method) {
    try {
      assertThat(
              ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, "1")
                  .hasNext())
          .isFalse();
    } catch (StatusRuntimeException e) {
      return e;
    }
    throw new AssertionError("the call went well");
  }

  @Test
  void B73_a_call_that_can_never_be_granted_is_not_to_be_tried_again() {
    RunningGateway gateway = gateway(callers(Quota.of(Allowance.BLOCKED)));
    Metadata trailers = failing(channel(gateway), "one").getTrailers();
    assertThat(trailers.get(PUSHBACK)).isEqualTo("-1");
  }

  @Test
  void B73_an_upstream_that_is_gone_is_unavailable_and_no_refusal() throws Exception {
    RunningGateway gateway = gateway(callers(Trees.window(100, Trees.MINUTE)));
    server.shutdownNow().awaitTermination(20, TimeUnit.SECONDS);
    Status status = failing(channel(gateway), "one").getStatus();
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription()).isEqualTo("the upstream could not be reached");
  }

  @Test
  void B73_grpc_web_gets_the_same_and_http_calls_still_get_429() {
    RunningGateway gateway = gateway(callers(Trees.window(1, Trees.MINUTE)));
    try (RawHttp client = gateway.connect()) {
      client.ask("POST", "/shop.Orders/Unary", "Content-Length: 0");
      RawHttp.Reply web =
          client.ask(
              "POST",
              "/shop.Orders/Unary",
              "Content-Type: application/grpc-web+proto",
              "Content-Length: 0");
      assertThat(web.status()).isEqualTo(200);
      assertThat(web.field("content-type")).isEqualTo("application/grpc-web");
      assertThat(web.field("grpc-status")).isEqualTo("8");
      assertThat(web.field("grpc-retry-pushback-ms")).isEqualTo("60000");
      assertThat(web.body()).isEmpty();
      assertThat(client.ask("POST", "/shop.Orders/Unary", "Content-Length: 0").status())
          .isEqualTo(429);
    }
  }
}
