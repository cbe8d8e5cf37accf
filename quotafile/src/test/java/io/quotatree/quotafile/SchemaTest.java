package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class SchemaTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(JSON.<JsonNode>valueToTree(QuotaFiles.schema()));

  static List<Path> usable() {
    return Stream.concat(Fixtures.in("valid").stream(), Fixtures.in("warnings").stream()).toList();
  }

  private static List<String> complaints(Path file) throws IOException {
    Object value = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    return SCHEMA.validate(JSON.<JsonNode>valueToTree(value)).stream()
        .map(Object::toString)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("usable")
  void every_file_that_can_be_used_fits_the_schema(Path file) throws IOException {
    assertThat(complaints(file)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unknown-key",
        "unknown-key-of-a-quota",
        "unknown-key-of-the-file",
        "unknown-key-in-camel-case",
        "unknown-key-in-a-list-item",
        "unknown-keys-of-another-place",
        "keys-not-here-yet",
        "no-quotas",
        "quotas-empty",
        "not-a-mapping",
        "list-for-a-mapping",
        "text-for-a-mapping",
        "mapping-for-a-list",
        "mapping-for-a-rate",
        "text-for-a-flag",
        "text-for-a-number",
        "empty-value",
        "empty-list",
        "number-out-of-bounds",
        "rate-in-words",
        "rate-with-a-fraction",
        "rate-with-a-unit",
        "rate-with-unknown-period",
        "rate-by-calendar",
        "misspelt-word",
        "word-in-a-list",
        "bad-duration",
        "bad-default-period",
        "unknown-algorithm",
        "unknown-layer",
        "unknown-choices",
        "two-stars",
        "star-in-a-plan",
        "item-without-a-limit",
        "bad-address",
        "unknown-source",
        "bad-targets",
        "no-targets",
        "route-without-parts",
        "no-routes"
      })
  void a_mistake_of_structure_does_not_fit_the_schema(String mistake) throws IOException {
    assertThat(complaints(Path.of("src/test/resources/errors", mistake + ".yaml"))).isNotEmpty();
  }

  @Test
  void the_schema_is_of_draft_2020_12_and_tells_what_each_key_means() {
    assertThat(QuotaFiles.schema())
        .containsEntry("$schema", "https://json-schema.org/draft/2020-12/schema");
    assertThat(JSON.writeValueAsString(QuotaFiles.schema()))
        .contains(
            "\"description\":\"How many permits a request takes in every layer; default: 1.\"")
        .isEqualTo(JSON.writeValueAsString(QuotaFiles.schema()));
  }

  @Test
  void the_fixture_of_everything_holds_every_key() throws IOException {
    String everything = Files.readString(Path.of("src/test/resources/valid/everything.yaml"));
    assertThat(
            Section.all(FileFormat.FILE).stream()
                .flatMap(section -> section.keys().stream())
                .map(Key::name))
        .allSatisfy(key -> assertThat(everything).containsPattern("[ {\\n]" + key + ":"));
  }
}
