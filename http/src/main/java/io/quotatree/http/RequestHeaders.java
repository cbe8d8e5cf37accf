package io.quotatree.http;

import java.util.List;

/** A request's header lines, as any server can show them: {@code name -> headers.getAll(name)}. */
@FunctionalInterface
public interface RequestHeaders {

  /**
   * The values of all lines of one field, in the order in which they came.
   *
   * @param name the field's name; its case must not count
   * @return one value a line, not split at commas; empty where there is no such line
   */
  List<String> lines(String name);
}
