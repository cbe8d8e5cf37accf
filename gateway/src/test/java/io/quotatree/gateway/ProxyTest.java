package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What reaches an upstream, and what comes back. */
final class ProxyTest {

  private final TestUpstream upstream = TestUpstream.echo();
  private final RunningGateway gateway =
      RunningGateway.of(QuotaTree.empty()).to(upstream.port()).start();
  private final RawHttp client = gateway.connect();

  @AfterEach
  void stop() {
    client.close();
    gateway.close();
    upstream.close();
  }

  @Test
  void a_request_passes_with_method_path_query_fields_and_body() {
    JsonObject seen =
        new JsonObject(
            client
                .send(
                    "POST /a/b%20c;v=1/?q=%2F&r HTTP/1.1\r\nHost: shop.example\r\nX-Own: 1\r\n"
                        + "X-Own: 2\r\nContent-Length: 5\r\n\r\nhello")
                .reply()
                .body());
    assertThat(seen.getString("method")).isEqualTo("POST");
    assertThat(seen.getString("uri")).isEqualTo("/a/b%20c;v=1/?q=%2F&r");
    assertThat(seen.getString("body")).isEqualTo("hello");
    assertThat(seen.getJsonObject("headers").getJsonArray("x-own"))
        .isEqualTo(new JsonArray().add("1").add("2"));
  }
}
