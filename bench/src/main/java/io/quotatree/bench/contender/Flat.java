package io.quotatree.bench.contender;

import io.quotatree.bench.load.Names;

/** A limiter that knows flat keys alone, and whose threads keep nothing. */
interface Flat extends Contender<FlatKeys, Object> {

  @Override
  default FlatKeys request(Names names) {
    return FlatKeys.of(names);
  }

  @Override
  default int read(FlatKeys keys) {
    return Names.read(keys.caller()) + Names.read(keys.user()) + Names.read(keys.api());
  }

  @Override
  default Object scratch() {
    return this;
  }
}
