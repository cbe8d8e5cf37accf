package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.LimitState;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import java.util.ArrayList;
import java.util.List;

/** A reference ledger, a tree and a time that go on together. */
final class Play {

  static final long START_MICROS = 1_767_225_600_000_000L;

  private final OracleLedger ledger = new OracleLedger();
  private QuotaTree tree;
  private long micros;

  Play(QuotaTree tree) {
    this.tree = tree;
  }

  void reload(QuotaTree changed) {
    tree = changed;
  }

  void at(long sinceStartMicros) {
    micros = sinceStartMicros;
  }

  void atMillis(long sinceStartMillis) {
    micros = sinceStartMillis * 1000;
  }

  OracleDecision send(Request request) {
    return sendTo("a", request);
  }

  OracleDecision sendTo(String nodeId, Request request) {
    return ledger.decide(tree, nodeId, request, new OracleMoment(micros, START_MICROS + micros));
  }

  List<OracleDecision> send(Request request, int times) {
    List<OracleDecision> decisions = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      decisions.add(send(request));
    }
    return decisions;
  }

  int allowed(Request request, int times) {
    return (int) send(request, times).stream().filter(OracleDecision::allowed).count();
  }

  void release(OracleDecision decision) {
    ledger.release(decision);
  }

  static LimitState told(OracleDecision decision) {
    return decision.told().orElseThrow();
  }

  static Request get(String caller, String user, String path) {
    return Request.of(caller, user, "GET", path);
  }

  static Request post(String caller, String user, String path) {
    return Request.of(caller, user, "POST", path);
  }
}
