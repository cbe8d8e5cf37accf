package io.quotatree.bench;

import io.quotatree.bench.contender.Contenders;
import io.quotatree.bench.measure.Middle;
import io.quotatree.bench.measure.Score;
import java.util.Locale;
import java.util.OptionalLong;

/** A row of the table, every cell a text. */
record Row(
    String job,
    String contender,
    String threads,
    String ratio,
    String spread,
    String nanos,
    String process,
    String speedUp,
    String allowed,
    String bytes,
    String bytesPerSubject,
    String single,
    String does) {

  static final Row HEAD =
      new Row(
          "Job",
          "What",
          "Threads",
          "Ratio",
          "Quartiles",
          "CPU ns",
          "Process CPU ratio",
          "2 threads do",
          "Allowed",
          "B/op",
          "B/subject",
          "p50 / p99 ns",
          "What it does of the job");

  static Row of(Score score, OptionalLong bytesPerSubject) {
    return new Row(
        score.job().title(),
        score.contender(),
        Integer.toString(score.threads()),
        "**" + text(score.ratio().median()) + "**",
        quartiles(score.ratio()),
        whole(score.nanos().median()),
        text(score.process().median()),
        score.speedUp().isPresent() ? text(score.speedUp().getAsDouble()) + " of 1" : "",
        whole(100 * score.allowedShare()) + "%",
        String.format(Locale.ROOT, "%.2f", score.bytes()),
        bytesPerSubject.isPresent() ? Long.toString(bytesPerSubject.getAsLong()) : "",
        score.median().isPresent() && score.late().isPresent()
            ? score.median().getAsLong() + " / " + score.late().getAsLong()
            : "",
        Contenders.does(score.contender()));
  }

  /** A row of something that is no contest: figures in words. */
  static Row told(String job, String what, String bytesPerSubject, String figures) {
    return new Row(job, what, "", "", "", "", "", "", "", "", bytesPerSubject, "", figures);
  }

  /** A row of a small part, timed alone. */
  static Row part(String job, String what, String nanos, String spread) {
    return new Row(job, what, "1", "", spread, nanos, "", "", "", "", "", "", "wall time, alone");
  }

  private static String quartiles(Middle middle) {
    return text(middle.low()) + "–" + text(middle.high());
  }

  static String text(double ratio) {
    return String.format(Locale.ROOT, ratio < 10 ? "%.2f" : "%.1f", ratio);
  }

  private static String whole(double figure) {
    return String.format(Locale.ROOT, "%.0f", figure);
  }

  String markdown() {
    return "| "
        + String.join(
            " | ",
            job,
            contender,
            threads,
            ratio,
            spread,
            nanos,
            process,
            speedUp,
            allowed,
            bytes,
            bytesPerSubject,
            single,
            does)
        + " |";
  }
}
