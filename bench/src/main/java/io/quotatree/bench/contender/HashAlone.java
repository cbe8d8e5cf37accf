package io.quotatree.bench.contender;

import io.quotatree.bench.load.Names;
import io.quotatree.core.policy.NameHashing;

/** Hashing what a decision of ours hashes: the caller's name and the user's. */
final class HashAlone implements Contender<Names, NameHashing> {

  @Override
  public Names request(Names names) {
    return names;
  }

  @Override
  public int read(Names names) {
    return names.read();
  }

  @Override
  public NameHashing scratch() {
    return new NameHashing();
  }

  @Override
  public boolean decide(Names names, NameHashing hash) {
    hash.of(1, names.caller());
    long caller = hash.first() ^ hash.second();
    hash.of(2, names.user());
    return (caller ^ hash.first() ^ hash.second()) != 0;
  }
}
