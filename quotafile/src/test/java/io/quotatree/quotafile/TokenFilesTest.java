package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFilesTest {

  private static final String SALT = "0123456789abcdef";
  private static final String HASH = "ab".repeat(32);

  @TempDir private Path folder;

  private TokenFiles.Read read(String text) throws IOException {
    Path file = folder.resolve("tokens.yaml");
    Files.writeString(file, text);
    return TokenFiles.read(file);
  }

  private static String told(TokenFiles.Read read) {
    return read.errors().get(0).text();
  }

  @Test
  void each_line_is_a_name_and_a_hashed_token() throws IOException {
    TokenFiles.Read read =
        read(
            "# ours\napp-a: sha256:"
                + SALT
                + ":"
                + HASH
                + "\nb: 'sha256:"
                + SALT
                + "x:"
                + HASH
                + "'\n");
    assertThat(read.errors()).isEmpty();
    assertThat(read.tokens())
        .containsExactly(new TokenFiles.Token(SALT, HASH), new TokenFiles.Token(SALT + "x", HASH));
  }

  @Test
  void what_is_no_hash_is_not_repeated_for_it_may_be_the_token() throws IOException {
    TokenFiles.Read read = read("app-a: my-secret-token\n");
    assertThat(read.tokens()).isEmpty();
    assertThat(read.errors()).hasSize(1);
    assertThat(read.errors().get(0).toString()).doesNotContain("my-secret-token").contains(":1:8");
    assertThat(told(read)).startsWith("this is no hashed token; write `sha256:SALT:HASH`");
  }

  @Test
  void a_salt_that_is_short_or_a_hash_in_capitals_is_told() throws IOException {
    assertThat(read("a: sha256:short:" + HASH).errors()).hasSize(1);
    assertThat(read("a: sha256:" + SALT + ":" + "AB".repeat(32)).errors()).hasSize(1);
  }

  @Test
  void a_file_has_one_token_at_least_and_a_hundred_at_most() throws IOException {
    assertThat(told(read("{}"))).isEqualTo("it has 0 tokens; write 1 to 100");
    StringBuilder many = new StringBuilder();
    for (int i = 0; i <= TokenFiles.MOST; i++) {
      many.append("a").append(i).append(": sha256:").append(SALT).append(":").append(HASH);
      many.append('\n');
    }
    assertThat(told(read(many.toString()))).isEqualTo("it has 101 tokens; write 1 to 100");
  }

  @Test
  void a_name_that_is_there_twice_is_told() throws IOException {
    String line = "a: sha256:" + SALT + ":" + HASH + "\n";
    assertThat(read(line + line).errors()).hasSize(1);
  }
}
