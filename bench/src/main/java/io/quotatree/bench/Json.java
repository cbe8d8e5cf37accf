package io.quotatree.bench;

import io.quotatree.bench.measure.Score;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The scores of the main jobs as a list of JSON objects; names and jobs need no escapes. */
final class Json {

  private Json() {}

  static String of(List<Score> scores, Map<String, Long> bytesPerSubject) {
    return scores.stream()
        .map(score -> object(score, bytesPerSubject))
        .collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
  }

  private static String object(Score score, Map<String, Long> bytesPerSubject) {
    Long bytes = bytesPerSubject.get(score.contender());
    return String.format(
        Locale.ROOT,
        "{\"name\":\"%s\",\"mix\":\"%s\",\"threads\":%d,\"ratio\":%.3f,\"spread\":%.3f,"
            + "\"bytes_per_op\":%.2f,\"bytes_per_subject\":%s}",
        score.contender(),
        score.job().word(),
        score.threads(),
        score.ratio().median(),
        score.ratio().spread(),
        score.bytes(),
        bytes == null ? "null" : bytes.toString());
  }
}
