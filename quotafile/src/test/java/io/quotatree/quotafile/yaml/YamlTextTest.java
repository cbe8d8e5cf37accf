package io.quotatree.quotafile.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class YamlTextTest {

  private final Problems problems = new Problems("f.yaml");

  private Yaml read(String text) {
    Optional<Yaml> yaml = YamlText.read(text, problems);
    assertThat(problems.errors()).isEmpty();
    return yaml.orElseThrow();
  }

  private List<String> errors(byte[] bytes) {
    YamlText.read(bytes, problems);
    return problems.errors().stream().map(Problem::toString).toList();
  }

  private List<String> errors(String text) {
    return errors(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void every_value_knows_its_place() {
    Yaml.Mapping root = (Yaml.Mapping) read("a: 1\nb:\n  - x\n  - { c: \"y\" }\n");
    assertThat(root.line()).isEqualTo(1);
    Yaml.Entry b = root.entries().get(1);
    assertThat(b.key()).isEqualTo(new Yaml.Scalar("b", Yaml.Quoting.PLAIN, 2, 1));
    Yaml.Sequence list = (Yaml.Sequence) b.value();
    assertThat(list.items().get(0)).isEqualTo(new Yaml.Scalar("x", Yaml.Quoting.PLAIN, 3, 5));
    Yaml.Mapping inner = (Yaml.Mapping) list.items().get(1);
    assertThat(inner.entries().get(0).value())
        .isEqualTo(new Yaml.Scalar("y", Yaml.Quoting.QUOTED, 4, 10));
  }

  @Test
  void columns_count_characters_not_bytes_or_halves() {
    Yaml.Mapping root = (Yaml.Mapping) read("{ 限流: \"😀😀\", b: 1 }");
    assertThat(root.entries().get(1).key().column()).isEqualTo(13);
  }

  @Test
  void numbers_flags_and_nothing_are_texts_until_somebody_asks() {
    Yaml.Mapping root = (Yaml.Mapping) read("a: 007\nb: yes\nc:\nd: ~\ne: \"\"\n");
    assertThat(root.entries())
        .extracting(entry -> ((Yaml.Scalar) entry.value()).text())
        .containsExactly("007", "yes", "", "~", "");
    assertThat(root.entries())
        .extracting(entry -> ((Yaml.Scalar) entry.value()).empty())
        .containsExactly(false, false, true, true, false);
  }

  @Test
  void an_alias_stands_where_its_anchor_does() {
    Yaml.Mapping root = (Yaml.Mapping) read("a: &x { k: 1 }\nb: *x\n");
    assertThat(root.entries().get(1).value()).isEqualTo(root.entries().get(0).value());
  }

  @Test
  void a_merge_key_brings_the_keys_of_others() {
    Yaml.Mapping root =
        (Yaml.Mapping)
            read("a: &a { k: 1 }\nb: &b { l: 2 }\nc: { <<: [*a, *b], m: 3 }\nd: { \"<<\": 4 }\n");
    assertThat(((Yaml.Mapping) root.entries().get(2).value()).names())
        .containsExactly("m", "k", "l");
    assertThat(((Yaml.Mapping) root.entries().get(3).value()).names()).containsExactly("<<");
  }

  @Test
  void a_byte_order_mark_is_no_part_of_the_text() {
    assertThat(((Yaml.Mapping) read("\uFEFFa: 1")).names()).containsExactly("a");
  }

  @Test
  void a_text_tag_makes_a_text_and_others_are_errors() {
    assertThat(((Yaml.Scalar) read("!!str 1")).quoting()).isEqualTo(Yaml.Quoting.QUOTED);
    assertThat(errors("a: !!int 1\nb: !x [1]"))
        .containsExactly(
            "f.yaml:1:4: the tag `tag:yaml.org,2002:int` means nothing here; write the value without a tag",
            "f.yaml:2:4: the tag `!x` means nothing here; write the value without a tag");
  }

  @Test
  void nothing_at_all_is_an_error() {
    assertThat(errors(""))
        .containsExactly("f.yaml:1:1: the file is empty; write what it is to say");
  }

  @Test
  void bytes_that_are_no_UTF_8_are_told_with_their_place() {
    assertThat(errors("a: 1\nb: é".getBytes(StandardCharsets.ISO_8859_1)))
        .containsExactly("f.yaml:2:4: a byte that is not UTF-8; save the file as UTF-8");
  }

  @Test
  void a_character_cut_off_by_the_end_is_told() {
    byte[] whole = "a: é".getBytes(StandardCharsets.UTF_8);
    assertThat(errors(Arrays.copyOf(whole, whole.length - 1)))
        .containsExactly("f.yaml:1:4: a byte that is not UTF-8; save the file as UTF-8");
  }

  @Test
  void characters_that_YAML_forbids_are_told_with_their_place() {
    assertThat(errors("a: 1\nb: \u0000x"))
        .containsExactly(
            "f.yaml:2:4: the character U+0000 cannot stand in YAML; write it as an escape in double quotes");
  }

  @Test
  void a_huge_file_is_refused_before_it_is_read() {
    assertThat(errors(new byte[YamlText.MAX_BYTES + 1]))
        .singleElement()
        .asString()
        .contains("more than 8000000 bytes");
  }

  @Test
  void deep_nesting_and_alias_bombs_are_refused() {
    assertThat(errors("[".repeat(100_000)))
        .containsExactly("f.yaml:1:51: values nested deeper than 50; write them flatter");
  }

  @Test
  void aliases_are_counted_in_full() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 40; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertThat(errors(bomb.toString()))
        .singleElement()
        .asString()
        .contains("more than 500000 values");
  }

  @Test
  void so_many_mistakes_that_nobody_reads_them_are_cut() {
    assertThat(errors("a: 1\n".repeat(5000)))
        .hasSize(1001)
        .last()
        .isEqualTo("f.yaml:1002:1: and more like these; mend them first");
  }

  @Test
  void all_duplicates_are_told_at_once() {
    assertThat(errors("a: 1\na: 2\nb: { c: 1, c: 2 }\n"))
        .containsExactly(
            "f.yaml:2:1: duplicate key `a`, already at 1:1; keep one of them",
            "f.yaml:3:12: duplicate key `c`, already at 3:6; keep one of them");
  }
}
