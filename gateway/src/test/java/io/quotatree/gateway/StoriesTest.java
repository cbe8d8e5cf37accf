package io.quotatree.gateway;

import static io.quotatree.gateway.Trees.MINUTE;
import static io.quotatree.gateway.Trees.SECOND;
import static io.quotatree.gateway.Trees.apis;
import static io.quotatree.gateway.Trees.as;
import static io.quotatree.gateway.Trees.bucket;
import static io.quotatree.gateway.Trees.callers;
import static io.quotatree.gateway.Trees.node;
import static io.quotatree.gateway.Trees.sliding;
import static io.quotatree.gateway.Trees.users;
import static io.quotatree.gateway.Trees.usersWithPool;
import static io.quotatree.gateway.Trees.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import io.quotatree.core.policy.QuotaTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What layered quotas are for, over real HTTP and in virtual time. */
final class StoriesTest {

  private static ResourceLeakDetector.Level usualTracking = ResourceLeakDetector.getLevel();

  private final TestUpstream upstream =
      TestUpstream.that(request -> request.response().end("fine"));
  private final List<RunningGateway> gateways = new ArrayList<>();

  /**
   * Paranoid tracking would cost a millisecond a request; the other tests walk every path under it.
   */
  @BeforeAll
  static void trackFewBuffers() {
    usualTracking = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
  }

  @AfterAll
  static void trackAsBefore() {
    ResourceLeakDetector.setLevel(usualTracking);
  }

  private RunningGateway gateway(QuotaTree tree) {
    RunningGateway gateway = RunningGateway.of(tree).to(upstream.port()).start();
    gateways.add(gateway);
    return gateway;
  }

  @AfterEach
  void stop() {
    gateways.forEach(RunningGateway::close);
    upstream.close();
  }

  private static final int OTHERS = 3;
  private static final int USUAL_PER_SECOND = 25;

  /** One minute in which `stormer` sends five times its usual traffic, and the others theirs. */
  private static List<Crowd.Tally> storm(RunningGateway gateway) {
    List<Crowd.Tally> tallies = new ArrayList<>();
    for (int caller = 0; caller <= OTHERS; caller++) {
      tallies.add(new Crowd.Tally());
    }
    Crowd.of(
        gateway,
        crowd -> {
          for (int second = 0; second < 60; second++) {
            for (int i = 0; i < USUAL_PER_SECOND; i++) {
              for (int times = 0; times < 5; times++) {
                crowd.send(tallies.get(0), "GET", "/", as("stormer", "u" + i));
              }
              for (int other = 1; other <= OTHERS; other++) {
                crowd.send(tallies.get(other), "GET", "/", as("app-" + other, "u" + i));
              }
            }
            crowd.settle();
            gateway.ticker.advance(SECOND);
          }
        });
    return tallies;
  }

  @Test
  void storm_of_one_caller_costs_the_others_nothing() {
    QuotaTree tree = node(sliding(100_000, MINUTE)).withCaller(callers(sliding(5_000, MINUTE)));
    List<Crowd.Tally> tallies = storm(gateway(tree));
    for (int other = 1; other <= OTHERS; other++) {
      assertThat(tallies.get(other).allowed).isEqualTo(60 * USUAL_PER_SECOND);
    }
    Crowd.Tally stormer = tallies.get(0);
    assertThat(stormer.allowed).isEqualTo(5_000);
    assertThat(stormer.refusedBy)
        .containsOnlyKeys("caller:stormer")
        .containsValue(60 * 5 * USUAL_PER_SECOND - stormer.allowed);
  }

  @Test
  void under_one_total_limit_the_same_storm_hits_everybody() {
    // Room for all as usual, and a fifth more.
    int usual = (OTHERS + 1) * 60 * USUAL_PER_SECOND;
    List<Crowd.Tally> tallies = storm(gateway(node(sliding(usual * 6 / 5, MINUTE))));
    for (int other = 1; other <= OTHERS; other++) {
      assertThat(tallies.get(other).allowed).isLessThan(60 * USUAL_PER_SECOND * 3 / 4);
      assertThat(tallies.get(other).refusedBy).containsOnlyKeys("node:node");
    }
  }

  @Test
  void of_a_hundred_users_each_gets_its_ten() {
    RunningGateway gateway = gateway(QuotaTree.empty().withUser(users(window(10, SECOND))));
    List<Crowd.Tally> users = new ArrayList<>();
    Crowd.of(
        gateway,
        crowd -> {
          for (int user = 0; user < 100; user++) {
            users.add(new Crowd.Tally());
          }
          for (int round = 0; round < 20; round++) {
            for (int user = 0; user < 100; user++) {
              crowd.send(users.get(user), "GET", "/", as("app-a", "u" + user));
            }
          }
        });
    for (int user = 0; user < 100; user++) {
      assertThat(users.get(user).allowed).isEqualTo(10);
      assertThat(users.get(user).refusedBy).containsOnlyKeys("user:app-a/u" + user);
    }
  }

  @Test
  void of_a_hundred_without_a_name_fifty_requests_pass() {
    RunningGateway gateway =
        gateway(QuotaTree.empty().withUser(usersWithPool(window(10, SECOND), window(50, SECOND))));
    Crowd.Tally all = new Crowd.Tally();
    Crowd.of(
        gateway,
        crowd -> {
          for (int i = 0; i < 100 * 20; i++) {
            crowd.send(all, "GET", "/", as("app-a", "0"));
          }
        });
    assertThat(all.allowed).isEqualTo(50);
    assertThat(all.refusedBy).containsOnlyKeys("user:app-a/anonymous").containsValue(1_950);
  }

  @Test
  void heavy_exports_leave_the_light_api_alone() {
    RunningGateway gateway =
        gateway(
            node(sliding(100_000, MINUTE))
                .withCaller(callers(bucket(5_000, MINUTE)))
                .withApi(
                    apis(
                        Map.of(
                            "POST /report/export", window(5, SECOND),
                            "GET /user/info", window(100, SECOND)))));
    Crowd.Tally exports = new Crowd.Tally();
    Crowd.Tally light = new Crowd.Tally();
    Crowd.of(
        gateway,
        crowd -> {
          for (int second = 0; second < 10; second++) {
            for (int i = 0; i < 50; i++) {
              crowd.send(exports, "POST", "/report/export", as("app-a", "u" + i));
              crowd.send(light, "GET", "/user/info", as("app-a", "u" + i));
            }
            crowd.settle();
            gateway.ticker.advance(SECOND);
          }
        });
    assertThat(light.allowed).isEqualTo(500);
    assertThat(exports.allowed).isEqualTo(50);
    assertThat(exports.refusedBy).containsOnlyKeys("api:POST /report/export");
  }

  @Test
  void of_two_callers_at_one_address_only_the_flooding_one_is_refused() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(callers(bucket(100, MINUTE)))
                .withUser(users(bucket(60, MINUTE))));
    Crowd.Tally flood = new Crowd.Tally();
    Crowd.Tally neighbour = new Crowd.Tally();
    String[] sameAddress = {"X-Forwarded-For: 203.0.113.7", "X-App-Id: "};
    Crowd.of(
        gateway,
        crowd -> {
          for (int i = 0; i < 1_000; i++) {
            crowd.send(flood, "GET", "/", sameAddress[0], sameAddress[1] + "flooder");
          }
          for (int i = 0; i < 60; i++) {
            crowd.send(neighbour, "GET", "/", sameAddress[0], sameAddress[1] + "neighbour");
          }
        });
    assertThat(neighbour.allowed).isEqualTo(60);
    assertThat(flood.allowed).isEqualTo(60);
    assertThat(flood.refusedBy).containsOnlyKeys("user:flooder/ip:203.0.113.7");
  }

  @Test
  void a_walk_over_made_up_paths_makes_few_counters_and_costs_others_nothing() {
    RunningGateway gateway =
        gateway(
            node(sliding(100_000, MINUTE))
                .withCaller(callers(bucket(50_000, MINUTE)))
                .withApi(apis(window(300, MINUTE), Map.of("GET /user/info", window(600, MINUTE)))));
    Crowd.Tally walker = new Crowd.Tally();
    Crowd.Tally other = new Crowd.Tally();
    Crowd.of(
        gateway,
        crowd -> {
          for (int i = 0; i < 20_000; i++) {
            crowd.send(walker, "GET", "/made/up/" + i, as("walker", "u1"));
          }
          for (int i = 0; i < 300; i++) {
            crowd.send(other, "GET", "/some/other/" + i, as("other", "u1"));
          }
        });
    assertThat(walker.allowed).isEqualTo(300);
    assertThat(walker.refusedBy).containsOnlyKeys("api:/**|walker");
    assertThat(other.allowed).isEqualTo(300);
    // node; caller and unmatched of each of the two.
    assertThat(gateway.ledger.subjects()).isLessThanOrEqualTo(5);
  }
}
