package io.quotatree.core.ledger;

/** stub: holds counters and executes plans. */
public interface Ledger {}
