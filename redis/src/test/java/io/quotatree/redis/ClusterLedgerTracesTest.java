package io.quotatree.redis;

/** On a cluster: a decision is over several slots, and what it comes to is the same. */
final class ClusterLedgerTracesTest extends SharedLedgerTraces {

  ClusterLedgerTracesTest() {
    super(VirtualLedgers.onCluster());
  }
}
