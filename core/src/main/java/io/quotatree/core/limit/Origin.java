package io.quotatree.core.limit;

/**
 * Where a quota was written.
 *
 * @param place the line's place in the tree, as a person would name it: {@code
 *     caller.overrides.app-a}
 * @param line its line in the file, from 1; 0 where it was not read from a file
 * @param column its column in the file, from 1; 0 where it was not read from a file
 */
public record Origin(String place, int line, int column) {

  /** A quota made by code rather than read from a file. */
  public static Origin code(String place) {
    return new Origin(place, 0, 0);
  }
}
