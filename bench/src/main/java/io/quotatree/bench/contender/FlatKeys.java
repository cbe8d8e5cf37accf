package io.quotatree.bench.contender;

import io.quotatree.bench.load.Names;

/**
 * A request for limiters that know flat keys alone; the user's key is joined beforehand, in their
 * favour.
 */
record FlatKeys(String caller, String user, String api, boolean inDebt) {

  static FlatKeys of(Names names) {
    return new FlatKeys(names.caller(), names.userKey(), names.path(), names.inDebt());
  }
}
