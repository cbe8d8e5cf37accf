package io.quotatree.core.engine;

import io.quotatree.core.limit.OnFailure;

/** Events that nobody wants to know of. */
final class Unheard implements Events {

  @Override
  public void storeAnswered(long nanos) {}

  @Override
  public void storeFailed() {}

  @Override
  public void fellBack(OnFailure way) {}
}
