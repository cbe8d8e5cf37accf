package io.quotatree.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentitySourceTest {

  @Test
  void a_source_is_read_as_quota_files_write_it() {
    assertThat(IdentitySource.parse("header:X-App-Id"))
        .isEqualTo(new IdentitySource.Header("X-App-Id"))
        .extracting(IdentitySource::text)
        .isEqualTo("header:X-App-Id");
    assertThat(IdentitySource.parse("cookie:sid"))
        .isEqualTo(new IdentitySource.Cookie("sid"))
        .extracting(IdentitySource::text)
        .isEqualTo("cookie:sid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "header",
        "header:",
        "cookie:",
        "jwt:sub",
        "Header:X",
        "header:X App",
        "header:X:Y",
        "cookie:a=b",
        "header: X",
        "header:é",
        "query:id"
      })
  void other_texts_are_refused_with_what_to_write(String text) {
    assertThatThrownBy(() -> IdentitySource.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("identity source `");
  }
}
