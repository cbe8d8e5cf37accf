package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Layer;

/**
 * What tells a counter from all others.
 *
 * @param layer its layer
 * @param subject whose it is
 * @param madeUp whether the subject is a user that the client made up
 * @param shape what a limit may not differ in to go on with it
 */
record CounterName(Layer layer, String subject, boolean madeUp, String shape) {

  boolean of(Layer someLayer, String someSubject) {
    return layer == someLayer && subject.equals(someSubject);
  }
}
