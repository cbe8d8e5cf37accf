package io.quotatree.bench.contender;

import io.quotatree.bench.load.Names;

/** Reading a character of each name of a request: what walking through the requests costs. */
final class StringsAlone implements Contender<Names, Object> {

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
    return last(names.caller()) + last(names.user()) + last(names.path()) > 0;
  }

  private static int last(String name) {
    return name.charAt(name.length() - 1);
  }
}
