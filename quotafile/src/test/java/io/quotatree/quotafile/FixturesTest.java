package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FixturesTest {

  static List<Path> faulty() {
    return Fixtures.in("errors");
  }

  static List<Path> odd() {
    return Fixtures.in("warnings");
  }

  static List<Path> valid() {
    return Fixtures.in("valid");
  }

  @ParameterizedTest
  @MethodSource("faulty")
  void every_error_is_told_with_its_place_and_what_to_write_instead(Path file) {
    Reading reading = Fixtures.read(file);
    assertThat(reading).isInstanceOf(Reading.Faulty.class);
    assertThat(Fixtures.told(((Reading.Faulty) reading).errors()))
        .isEqualTo(Fixtures.expected(file));
  }

  @ParameterizedTest
  @MethodSource("odd")
  void what_is_legal_and_odd_is_a_warning(Path file) {
    Reading reading = Fixtures.read(file);
    assertThat(reading).isInstanceOf(Reading.Sound.class);
    assertThat(Fixtures.told(((Reading.Sound) reading).warnings()))
        .isNotEmpty()
        .isEqualTo(Fixtures.expected(file));
  }

  @ParameterizedTest
  @MethodSource("valid")
  void what_is_right_is_read_without_a_word(Path file) {
    assertThat(Fixtures.read(file))
        .isInstanceOfSatisfying(
            Reading.Sound.class, sound -> assertThat(sound.warnings()).isEmpty());
  }
}
