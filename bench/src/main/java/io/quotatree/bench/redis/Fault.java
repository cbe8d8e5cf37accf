package io.quotatree.bench.redis;

import io.quotatree.testkit.store.RedisServer;

/** What befalls a store. */
enum Fault {
  /** SIGSTOP: connections stay, nothing is answered, and it goes on where it was. */
  FROZEN("store frozen", "frozen") {
    @Override
    void begin(RedisServer server) {
      server.freeze();
    }

    @Override
    void end(RedisServer server) {
      server.thaw();
    }
  },
  /** SIGKILL: connections end, and it comes back empty. */
  KILLED("store killed", "killed") {
    @Override
    void begin(RedisServer server) {
      server.kill();
    }

    @Override
    void end(RedisServer server) {
      server.restart();
    }
  };

  private final String title;
  private final String word;

  Fault(String title, String word) {
    this.title = title;
    this.word = word;
  }

  String title() {
    return title;
  }

  String word() {
    return word;
  }

  abstract void begin(RedisServer server);

  /** Returns when the store takes commands again. */
  abstract void end(RedisServer server);
}
