package io.quotatree.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.bench.load.Job;
import io.quotatree.bench.measure.Middle;
import io.quotatree.bench.measure.Score;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class JsonTest {

  private static final Middle RATIO = new Middle(9.5, 9.25, 9.75);

  private static Score score(String contender, int threads) {
    return new Score(
        Job.HALF,
        contender,
        threads,
        RATIO,
        new Middle(900, 890, 910),
        RATIO,
        OptionalDouble.empty(),
        0.5,
        264,
        OptionalLong.of(800),
        OptionalLong.of(2_000));
  }

  @Test
  void a_score_is_an_object_of_the_agreed_keys() {
    assertThat(Json.of(List.of(score("guava-caffeine", 2)), Map.of("guava-caffeine", 295L)))
        .isEqualToIgnoringWhitespace(
            """
            [{"name":"guava-caffeine","mix":"half","threads":2,"ratio":9.500,"spread":0.500,
            "bytes_per_op":264.00,"bytes_per_subject":295}]""");
  }

  @Test
  void bytes_that_were_not_measured_are_null() {
    assertThat(Json.of(List.of(score("floor", 1)), Map.of()))
        .contains("\"bytes_per_subject\":null");
  }

  @Test
  void every_row_has_the_cells_of_the_head() {
    String row = Row.of(score("guava-caffeine", 1), OptionalLong.of(295)).markdown();

    assertThat(row.chars().filter(c -> c == '|').count())
        .isEqualTo(Row.HEAD.markdown().chars().filter(c -> c == '|').count());
    assertThat(row).contains("**9.50**", "9.25–9.75", "| 295 |", "800 / 2000");
  }
}
