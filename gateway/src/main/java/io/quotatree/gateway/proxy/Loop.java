package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Limiter;
import io.vertx.core.Vertx;

/** What all exchanges of one event loop share. */
record Loop(
    Vertx vertx,
    UpstreamClients clients,
    AnswerWriter answers,
    Limiter limiter,
    UnderWay underWay,
    Idle idle) {}
