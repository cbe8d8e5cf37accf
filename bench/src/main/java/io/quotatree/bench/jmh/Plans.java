package io.quotatree.bench.jmh;

import io.quotatree.bench.contender.Contender;
import io.quotatree.bench.contender.Contenders;
import io.quotatree.bench.load.Job;
import io.quotatree.bench.load.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Finding the limits of the same request again and again. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Plans {

  private static final long SEED = 1;

  private Planned small = Planned.of(Job.PLAN_SMALL);
  private Planned large = Planned.of(Job.PLAN_LARGE);

  /** A contender that plans, with one request. */
  private record Planned(Contender<Object, Object> plan, Object request, Object scratch) {

    @SuppressWarnings("unchecked")
    static Planned of(Job job) {
      Contender<Object, Object> plan = (Contender<Object, Object>) Contenders.of("plan", job);
      List<Object> requests = new ArrayList<>();
      new Load(job, SEED).eachRequest(1, names -> requests.add(plan.request(names)));
      return new Planned(plan, requests.get(0), plan.scratch());
    }

    boolean planned() {
      return plan.decide(request, scratch);
    }
  }

  /** Made anew for each run, so that nothing is taken for a constant. */
  @Setup
  public void prepare() {
    small = Planned.of(Job.PLAN_SMALL);
    large = Planned.of(Job.PLAN_LARGE);
  }

  /** Among 50 api lines and 50 caller lines. */
  @Benchmark
  public boolean amongFew() {
    return small.planned();
  }

  /** Among 5,000 api lines and 10,000 caller lines. */
  @Benchmark
  public boolean amongMany() {
    return large.planned();
  }
}
