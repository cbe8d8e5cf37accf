package io.quotatree.redis;

/** On one server. */
final class RedisLedgerTracesTest extends SharedLedgerTraces {

  RedisLedgerTracesTest() {
    super(VirtualLedgers.onOneServer());
  }
}
