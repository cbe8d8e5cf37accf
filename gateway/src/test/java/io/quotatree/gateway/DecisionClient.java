package io.quotatree.gateway;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks a decision API over HTTP, as a service would. */
final class DecisionClient {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String base;
  private final String authorization;

  DecisionClient(int port, String authorization) {
    this.base = "http://127.0.0.1:" + port;
    this.authorization = authorization;
  }

  static DecisionClient of(RunningGateway gateway) {
    return new DecisionClient(gateway.adminPort(), "");
  }

  HttpResponse<String> post(String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(path + " " + body, e);
    }
  }

  JsonObject decide(JsonObject asked) {
    HttpResponse<String> answer = post("/v1/decide", asked.encode());
    if (answer.statusCode() != 200) {
      throw new AssertionError(answer.statusCode() + " " + answer.body());
    }
    return new JsonObject(answer.body());
  }

  JsonArray decide(JsonArray asked) {
    return new JsonArray(post("/v1/decide", asked.encode()).body());
  }

  int release(String id) {
    return post("/v1/release", new JsonObject().put("id", id).encode()).statusCode();
  }

  int settle(String id, long cost) {
    return post("/v1/settle", new JsonObject().put("id", id).put("cost", cost).encode())
        .statusCode();
  }

  HttpResponse<String> renew(String id, String hold) {
    return post("/v1/renew", new JsonObject().put("id", id).put("hold", hold).encode());
  }

  /** The message of a problem. */
  String complaint(String path, String body) {
    HttpResponse<String> answer = post(path, body);
    return answer.statusCode() + " " + new JsonObject(answer.body()).getString("message");
  }
}
