package io.quotatree.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SchemaCommandTest {

  @Test
  void prints_the_schema_as_json() throws IOException {
    Ran ran = Ran.quotatree("schema");
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    try (JsonParser parser = new JsonFactory().createParser(ran.out())) {
      while (parser.nextToken() != null) {
        // reading to the end proves that it is JSON
      }
    }
    assertThat(ran.out())
        .contains(
            "https://json-schema.org/draft/2020-12/schema",
            "\"quotas\"",
            "\"additionalProperties\" : false");
  }
}
