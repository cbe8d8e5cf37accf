package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problem;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Shape;
import io.quotatree.quotafile.yaml.Yaml;
import io.quotatree.quotafile.yaml.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files of tokens, each by a name and a salted hash: {@code app-a: sha256:SALT:HASH}, HASH being
 * SHA-256 over the salt as it is written, and the token. The tokens themselves are nowhere in them.
 */
public final class TokenFiles {

  /** How many tokens a file may have: each request is compared with all. */
  public static final int MOST = 100;

  private static final Pattern FORM =
      Pattern.compile("sha256:([0-9A-Za-z_-]{16,64}):([0-9a-f]{64})");

  private static final Shape<Token> TOKEN =
      Shape.text(
          new Shape.Words("a hashed token", "`sha256:SALT:HASH`"),
          "^sha256:[0-9A-Za-z_-]{16,64}:[0-9a-f]{64}$",
          TokenFiles::token);

  private TokenFiles() {}

  /**
   * A token by its hash.
   *
   * @param salt the salt as it is written
   * @param hash 64 hex digits
   */
  public record Token(String salt, String hash) {}

  /** What a file says: its tokens, or, where there are errors, none of them. */
  public record Read(List<Token> tokens, List<Problem> errors) {
    /** Copies the lists. */
    public Read {
      tokens = List.copyOf(tokens);
      errors = List.copyOf(errors);
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be opened or read
   */
  public static Read read(Path path) throws IOException {
    Problems problems = new Problems(path.toString());
    List<Token> tokens = new ArrayList<>();
    Optional<Yaml> root = YamlText.read(QuotaFiles.bytes(path), problems);
    root.ifPresent(yaml -> read(yaml, tokens, problems));
    return problems.sound() ? new Read(tokens, List.of()) : new Read(List.of(), problems.errors());
  }

  private static void read(Yaml root, List<Token> tokens, Problems problems) {
    List<Located<Token>> read =
        Shape.map(Shape.text("a name", "`app-a`"), TOKEN).read(root, problems);
    if (read == null) {
      return;
    }
    read.forEach(token -> tokens.add(token.value()));
    if (problems.sound() && (read.isEmpty() || read.size() > MOST)) {
      problems.error(root, "it has " + read.size() + " tokens; write 1 to " + MOST);
    }
  }

  /** What stands in place of a hash is never repeated: it may be the token itself. */
  private static Token token(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "this is no hashed token; write `sha256:SALT:HASH`, a salt of 16 to 64 letters and digits and SHA-256 of salt and token in 64 small hex digits");
    }
    return new Token(matcher.group(1), matcher.group(2));
  }
}
