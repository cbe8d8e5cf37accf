package io.quotatree.bench.contender;

import io.quotatree.bench.load.Job;
import io.quotatree.bench.load.Names;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;

/** Finding the limits of a request and the keys of their counters; nothing is counted. */
final class PlanAlone implements Contender<Request, Plan> {

  private final Policy policy;

  PlanAlone(Job job) {
    policy = Policy.compile(Quotas.tree(job), "gateway-01");
  }

  @Override
  public Request request(Names names) {
    return Request.of(names.caller(), names.user(), "GET", names.path());
  }

  @Override
  public int read(Request request) {
    return Names.read(request.caller()) + Names.read(request.user()) + Names.read(request.path());
  }

  @Override
  public Plan scratch() {
    return new Plan();
  }

  @Override
  public boolean decide(Request request, Plan plan) {
    policy.plan(request, plan);
    return plan.size() > 0;
  }
}
