package io.quotatree.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One timer for all that a loop waits for. */
final class VigilTest {

  private static final long SHORT_MILLIS = 5;
  private static final long LONG_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final Vertx vertx = Vertx.vertx();
  private final CompletableFuture<List<String>> done = new CompletableFuture<>();
  private final List<String> ended = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private Patience wait(Vigil vigil, String name, Runnable more) {
    return new Patience(
        vigil,
        () -> {
          ended.add(name);
          more.run();
        });
  }

  private List<String> ended() throws Exception {
    return done.get(30, TimeUnit.SECONDS);
  }

  @Test
  void a_wait_that_ends_may_stop_all_others_of_its_round() throws Exception {
    vertx.runOnContext(
        v -> {
          Vigil vigil = new Vigil(vertx);
          List<Patience> others = new ArrayList<>();
          Runnable stopOthers = () -> others.forEach(Patience::stop);
          for (int i = 0; i < 3; i++) {
            others.add(wait(vigil, "other", () -> {}));
          }
          Patience first = wait(vigil, "first", stopOthers);
          Patience last = wait(vigil, "last", () -> done.complete(ended));
          others.forEach(other -> other.expectWithin(SHORT_MILLIS));
          // Over before the others, or with them; the one that came last is looked at first.
          first.expectWithin(SHORT_MILLIS);
          others.forEach(Patience::progress);
          vertx.setTimer(20 * SHORT_MILLIS, id -> last.expectWithin(SHORT_MILLIS));
        });
    assertThat(ended()).containsExactly("first", "last");
  }

  @Test
  void a_long_wait_goes_on_while_short_ones_end() throws Exception {
    vertx.runOnContext(
        v -> {
          Vigil vigil = new Vigil(vertx);
          wait(vigil, "long", () -> {}).expectWithin(LONG_MILLIS);
          wait(vigil, "short", () -> done.complete(ended)).expectWithin(SHORT_MILLIS);
        });
    assertThat(ended()).containsExactly("short");
  }

  @Test
  void a_wait_ends_again_where_something_else_is_expected() throws Exception {
    vertx.runOnContext(
        v -> {
          Vigil vigil = new Vigil(vertx);
          Patience[] again = new Patience[1];
          again[0] =
              wait(
                  vigil,
                  "again",
                  () -> {
                    if (ended.size() < 3) {
                      again[0].expectWithin(SHORT_MILLIS);
                    } else {
                      done.complete(ended);
                    }
                  });
          again[0].expectWithin(SHORT_MILLIS);
        });
    assertThat(ended()).containsExactly("again", "again", "again");
  }

  @Test
  void a_mistake_at_the_end_of_one_wait_keeps_no_other_from_ending() throws Exception {
    vertx.runOnContext(
        v -> {
          vertx.getOrCreateContext().exceptionHandler(mistake -> {});
          Vigil vigil = new Vigil(vertx);
          Patience other = wait(vigil, "other", () -> done.complete(ended));
          other.expectWithin(SHORT_MILLIS);
          Patience bad =
              wait(
                  vigil,
                  "bad",
                  () -> {
                    throw new AssertionError("a mistake");
                  });
          bad.expectWithin(SHORT_MILLIS);
          // Over after the bad one, or with it; the one that came last is looked at first.
          other.progress();
        });
    assertThat(ended()).containsExactly("bad", "other");
  }
}
