package io.quotatree.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressBarTest {

  private final StringWriter terminal = new StringWriter();

  @Test
  void grows_with_the_work_and_is_drawn_only_when_it_changes() {
    ProgressBar bar = new ProgressBar(new PrintWriter(terminal), 1000);
    bar.advance(500);
    bar.advance(1);
    bar.advance(499);
    assertThat(terminal.toString())
        .isEqualTo(
            "\r[" + "#".repeat(20) + ".".repeat(20) + "] 50%" + "\r[" + "#".repeat(40) + "] 100%");
  }

  @Test
  void is_taken_away_before_a_line_is_written() {
    ProgressBar bar = new ProgressBar(new PrintWriter(terminal), 10);
    bar.clear();
    assertThat(terminal.toString()).isEmpty();
    bar.advance(10);
    bar.clear();
    assertThat(terminal.toString()).endsWith("100%\r\u001B[K");
  }
}
