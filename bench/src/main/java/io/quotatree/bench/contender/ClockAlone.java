package io.quotatree.bench.contender;

import io.quotatree.bench.load.Names;
import io.quotatree.core.time.LedgerClock;
import io.quotatree.core.time.Moment;
import io.quotatree.core.time.Ticker;

/** Reading the clock as a decision of ours does. */
final class ClockAlone implements Contender<Names, Moment> {

  private final LedgerClock clock = new LedgerClock(Ticker.system());

  @Override
  public Names request(Names names) {
    return names;
  }

  @Override
  public int read(Names names) {
    return names.read();
  }

  @Override
  public Moment scratch() {
    return new Moment();
  }

  @Override
  public boolean decide(Names names, Moment moment) {
    clock.read(moment);
    return moment.monotonicMicros() >= 0;
  }
}
