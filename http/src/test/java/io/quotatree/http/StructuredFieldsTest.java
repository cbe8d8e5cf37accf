package io.quotatree.http;

import static io.quotatree.http.TestLimits.SECOND;
import static io.quotatree.http.TestLimits.inFlight;
import static io.quotatree.http.TestLimits.rate;
import static io.quotatree.http.TestLimits.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.policy.ReplyStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.OuterList;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.junit.jupiter.api.Test;

/** Reads what is written with a parser of structured fields that is not ours. */
final class StructuredFieldsTest {

  private static final long NOW = 1_767_225_600_000_000L;
  private static final List<Layer> LAYERS = List.of(Layer.values());

  @Test
  void whatever_refuses_the_fields_are_canonical_lists_of_strings_with_integers() {
    Random random = new Random(20_260_103);
    for (int round = 0; round < 2_000; round++) {
      List<LimitState> limits = randomLimits(random);
      Answer answer =
          new QuotaReplies(ReplyStyle.DEFAULT)
              .refuse(refusal(limits.get(0), limits.toArray(LimitState[]::new)), "r" + round, NOW);
      List<String> policies = names(answer, "RateLimit-Policy", Set.of("q", "w", "qu"));
      List<String> states = names(answer, "RateLimit", Set.of("r", "t"));
      assertThat(policies).hasSameSizeAs(limits).doesNotHaveDuplicates().isEqualTo(states);
      assertThat(answer.body())
          .endsWith("\"violated-policies\":[\"" + String.join("\",\"", policies) + "\"]}");
    }
  }

  private static List<LimitState> randomLimits(Random random) {
    List<LimitState> limits = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      Layer layer = LAYERS.get(random.nextInt(LAYERS.size()));
      if (random.nextInt(5) == 0) {
        limits.add(inFlight(layer, "s", 1 + random.nextInt(1_000), true));
      } else {
        limits.add(
            rate(
                layer,
                "s",
                1 + random.nextInt(1_000_000_000),
                1_000
                    * Math.max(
                        1,
                        (long) (Rate.MAX_PERIOD_MICROS / 1000 * Math.pow(random.nextDouble(), 8))),
                random.nextInt(100),
                random.nextInt(Integer.MAX_VALUE) * SECOND,
                1 + random.nextInt(Integer.MAX_VALUE) * SECOND,
                random.nextBoolean()));
      }
    }
    return limits;
  }

  private static List<String> names(Answer answer, String field, Set<String> parameters) {
    String value =
        answer.fields().stream()
            .filter(f -> f.name().equals(field))
            .map(HeaderField::value)
            .findFirst()
            .orElseThrow();
    OuterList list = Parser.parseList(value);
    assertThat(list.serialize()).isEqualTo(value);
    List<String> names = new ArrayList<>();
    for (ListElement<?> element : list.get()) {
      assertThat(element).isInstanceOf(StringItem.class);
      names.add(((StringItem) element).get());
      assertThat(parameters).containsAll(element.getParams().keySet());
      element
          .getParams()
          .forEach((key, item) -> assertThat(item).as(field + " " + key).isInstanceOf(typeOf(key)));
    }
    return names;
  }

  private static Class<? extends Item<?>> typeOf(String parameter) {
    return parameter.equals("qu") ? StringItem.class : IntegerItem.class;
  }
}
