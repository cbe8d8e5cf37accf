package io.quotatree.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoadTest {

  private static final long SEED = 42;
  private static final int REQUESTS = 200_000;

  private static List<Names> requests(Job job, long seed, int count) {
    List<Names> requests = new ArrayList<>();
    new Load(job, seed).eachRequest(count, requests::add);
    return requests;
  }

  @Test
  void the_same_seed_makes_the_same_requests() {
    assertThat(requests(Job.HALF, SEED, 1_000))
        .isEqualTo(requests(Job.HALF, SEED, 1_000))
        .isNotEqualTo(requests(Job.HALF, SEED + 1, 1_000));
  }

  @ParameterizedTest
  @CsvSource({"PASS, 0.1", "HALF, 0.5", "STORM, 1.0"})
  void as_many_requests_come_from_users_in_debt_as_the_job_says(Job job, double share) {
    long inDebt = requests(job, SEED, REQUESTS).stream().filter(Names::inDebt).count();

    assertThat((double) inDebt / REQUESTS).isCloseTo(share, within(0.01));
  }

  @Test
  void the_most_frequent_user_sends_the_share_that_zipf_says() {
    List<Names> requests = requests(Job.PASS, SEED, REQUESTS);

    long ofFirst = requests.stream().filter(names -> names.user().equals(Names.user(0))).count();

    // One over the sum of 1/1 … 1/1,000,000.
    assertThat((double) ofFirst / REQUESTS).isCloseTo(1 / 14.39, within(0.003));
  }

  @Test
  void two_requests_of_a_user_have_strings_of_their_own() {
    Load load = new Load(Job.PASS, SEED);
    List<Names> first = new ArrayList<>();
    load.eachUser(first::add);
    List<Names> second = new ArrayList<>();
    load.eachUser(second::add);

    assertThat(first.get(0)).isEqualTo(second.get(0));
    assertThat(first.get(0).user()).isNotSameAs(second.get(0).user());
  }

  @Test
  void names_of_a_flood_differ_and_have_one_hash_code() {
    Set<String> names = new HashSet<>();
    Set<Integer> codes = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      names.add(Load.sameCode(i));
      codes.add(Load.sameCode(i).hashCode());
    }

    assertThat(names).hasSize(1_000);
    assertThat(codes).hasSize(1);
  }

  @Test
  void a_new_user_is_told_once() {
    Load load = new Load(Job.CHURN, SEED);
    Set<String> users = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      users.add(load.newUser().user());
    }

    assertThat(users).hasSize(10_000);
  }
}
