package io.quotatree.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OptionsTest {

  @Test
  void all_options_are_read() {
    Options options =
        Options.read(
            new String[] {
              "memory", "--quick", "--json", "out.json", "--seed", "7", "--only", "pass,half"
            });

    assertThat(options.isQuick()).isTrue();
    assertThat(options.json()).contains(Path.of("out.json"));
    assertThat(options.seed()).isEqualTo(7);
    assertThat(options.parts()).containsExactly("pass", "half");
  }

  @Test
  void gateway_and_shared_ledger_are_measured_too() {
    assertThat(Options.read(new String[] {"gateway", "--rounds", "3"}).subject())
        .isEqualTo("gateway");
    assertThat(Options.read(new String[] {"redis"}).subject()).isEqualTo("redis");
  }

  @ParameterizedTest
  @CsvSource({
    "memroy, memory",
    "memory --only everything, pass",
    "memory --seed x, whole number",
    "memory --rounds 0, 1 to",
    "memory --json, wants a value",
    "memory --before /nowhere/at/all, does not exist",
    "memory --quik, --help",
    "--quick, what to measure"
  })
  void a_mistake_is_told_with_the_way_out(String line, String wayOut) {
    assertThatThrownBy(() -> Options.read(line.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(wayOut);
  }

  @Test
  void help_needs_nothing_else() {
    assertThat(Options.read(new String[] {"--help"}).help()).isTrue();
    assertThat(Options.HELP).contains(String.join(" ", Options.PARTS).substring(0, 40));
  }
}
