package io.quotatree.bench.contender;

import io.quotatree.bench.load.Names;
import java.util.concurrent.atomic.AtomicLong;

/** One counter that all share, charged by a plain compare-and-swap: what a hot counter costs. */
final class PlainSwap implements Contender<Names, Object> {

  private final AtomicLong node = new AtomicLong();

  @Override
  public Names request(Names names) {
    return names;
  }

  @Override
  public int read(Names names) {
    return names.read();
  }

  @Override
  public Object scratch() {
    return this;
  }

  @Override
  public boolean decide(Names names, Object scratch) {
    return Gcra.NODE.charge(node, System.nanoTime());
  }
}
