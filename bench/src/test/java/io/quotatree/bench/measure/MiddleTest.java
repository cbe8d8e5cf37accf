package io.quotatree.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MiddleTest {

  @Test
  void the_median_is_the_middle_figure_whatever_the_order() {
    assertThat(Middle.of(List.of(9.0, 1.0, 5.0)).median()).isEqualTo(5);
  }

  @Test
  void the_median_of_an_even_number_lies_between_the_middle_two() {
    assertThat(Middle.of(List.of(1.0, 2.0, 4.0, 100.0)).median()).isEqualTo(3);
  }

  @Test
  void one_far_figure_moves_neither_median_nor_quartiles() {
    assertThat(Middle.of(List.of(1.0, 2.0, 3.0, 4.0, 1_000_000.0))).isEqualTo(new Middle(3, 2, 4));
  }

  @Test
  void what_never_ended_does_not_spoil_the_median() {
    assertThat(Middle.of(List.of(1.0, 2.0, Double.POSITIVE_INFINITY)).median()).isEqualTo(2);
  }

  @Test
  void no_figures_have_no_middle() {
    assertThatThrownBy(() -> Middle.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
