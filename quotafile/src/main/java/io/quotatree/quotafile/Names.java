package io.quotatree.quotafile;

import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.NamePattern;
import io.quotatree.quotafile.yaml.Shape;

/** The shapes of names that authors choose. */
final class Names {

  /** Callers, users and gateways: exact, or with one star. */
  static final Shape<String> PATTERN =
      Shape.text(
          new Shape.Words("a name, or a pattern with one *", "`app-a`"),
          "^[^*]*\\*?[^*]*$",
          Names::pattern);

  static final Shape<String> NAME =
      Shape.text(new Shape.Words("a name", "`gold`"), "^[^*]+$", Names::name);

  static final Shape<ApiName> API_NAME =
      Shape.text(
          new Shape.Words("an api name", "`POST /order/pay` or `/order/**`"),
          "^([A-Za-z-]+ +)?/",
          Names::apiName);

  private Names() {}

  /** Core tells what is wrong with a name; here it is always told what to write as well. */
  private static ApiName apiName(String text) {
    try {
      return ApiName.parse(text);
    } catch (IllegalArgumentException e) {
      String wrong = String.valueOf(e.getMessage());
      throw new IllegalArgumentException(
          wrong.contains("; ") ? wrong : wrong + "; write it as in `GET /user/{id}` or `/order/**`",
          e);
    }
  }

  private static String pattern(String text) {
    NamePattern.requireValid(text);
    return name(text, "a request without a name is of `anonymous`");
  }

  private static String name(String text) {
    if (text.indexOf('*') >= 0) {
      throw new IllegalArgumentException(
          "`" + text + "` holds a *, and only names of callers and users may; write it out");
    }
    return name(text, "none at all needs no line");
  }

  private static String name(String text, String otherwise) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("an empty name; write one (" + otherwise + ")");
    }
    return text;
  }
}
