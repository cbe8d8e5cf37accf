package io.quotatree.quotafile;

import io.quotatree.quotafile.Explanation.Asked;
import io.quotatree.quotafile.Explanation.Counted;
import java.util.ArrayList;
import java.util.List;

/** An explanation for people: who asks for what, a table of the quotas in order, then notes. */
final class ExplanationText {

  private static final List<String> HEAD =
      List.of("", "layer", "subject", "limit", "counted by", "written at", "");

  private final Explanation explanation;
  private final StringBuilder out = new StringBuilder();

  ExplanationText(Explanation explanation) {
    this.explanation = explanation;
  }

  @Override
  public String toString() {
    out.setLength(0);
    request();
    if (!explanation.quotas().isEmpty()) {
      out.append("\nAsked in this order; all must grant:\n\n");
      table();
    }
    if (!explanation.notes().isEmpty()) {
      out.append('\n');
      explanation.notes().forEach(note -> out.append("- ").append(note).append('\n'));
    }
    return out.toString();
  }

  private void request() {
    out.append(explanation.method()).append(' ').append(explanation.path()).append('\n');
    line("caller", explanation.caller());
    line("user", explanation.user().isEmpty() ? "none" : explanation.user());
    if (!explanation.plan().isEmpty()) {
      line("plan", explanation.plan());
    }
    if (explanation.route() != null) {
      line(
          "route",
          explanation.route().match()
              + " to "
              + explanation.route().upstream()
              + " (line "
              + explanation.route().line()
              + ")");
    }
    if (!explanation.quotas().isEmpty()) {
      line("api", explanation.api());
      line("cost", explanation.cost() == 1 ? "1 permit" : explanation.cost() + " permits");
    }
  }

  private void line(String name, String value) {
    out.append("  ").append(name).append(" ".repeat(8 - name.length())).append(value).append('\n');
  }

  private void table() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    explanation.quotas().forEach(asked -> rows.addAll(rows(asked)));
    int[] widths = new int[HEAD.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append("  ").append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length()));
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
  }

  /** One row for each limit; who and where stand in the first. */
  private List<List<String>> rows(Asked asked) {
    List<List<String>> rows = new ArrayList<>();
    if (!asked.allowance().equals("limited")) {
      rows.add(row(asked, asked.allowance(), ""));
    }
    for (Counted counted : asked.limits()) {
      String how =
          counted.algorithm() + (counted.details().isEmpty() ? "" : ", " + counted.details());
      rows.add(
          rows.isEmpty()
              ? row(asked, counted.limit(), how)
              : List.of("", "", "", counted.limit(), how, "", ""));
    }
    return rows;
  }

  private List<String> row(Asked asked, String limit, String how) {
    List<String> flags = new ArrayList<>();
    if (!how.isEmpty()) {
      flags.add(how);
    }
    if (asked.accounting().equals("loose")) {
      flags.add("loose");
    }
    if (asked.enforcement().equals("shadow")) {
      flags.add("shadow");
    }
    return List.of(
        String.valueOf(asked.turn()),
        asked.layer(),
        asked.subject(),
        limit,
        String.join(", ", flags),
        asked
            .until()
            .map(until -> "until " + until)
            .orElse(explanation.file() + ":" + asked.line() + ":" + asked.column()),
        asked.place());
  }
}
