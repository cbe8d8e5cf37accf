package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Limiter;
import io.quotatree.core.time.Ticker;
import io.quotatree.observe.Metrics;
import io.vertx.core.Vertx;

/** What all exchanges of one event loop share. */
record Loop(
    Vertx vertx,
    UpstreamClients clients,
    AnswerWriter answers,
    Limiter limiter,
    UnderWay underWay,
    Idle idle,
    Metrics metrics,
    Ticker ticker) {}
