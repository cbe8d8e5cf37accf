package io.quotatree.quotafile;

import io.quotatree.core.policy.ApiName;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.Comparator;

/**
 * An api name of the file.
 *
 * @param at where it stands
 * @param name the name
 * @param use what it names
 */
record PlacedName(Yaml.Scalar at, ApiName name, Use use) {

  static final Comparator<Yaml> BY_PLACE =
      Comparator.comparingInt(Yaml::line).thenComparingInt(Yaml::column);

  /** What a name names. */
  enum Use {
    /** An api of its own. */
    API,
    /** Members of a group, or the apis of a caller's line. */
    OTHER
  }

  /** A name that can be read. */
  static PlacedName of(Yaml.Scalar at, Use use) {
    return new PlacedName(at, ApiName.parse(at.text()), use);
  }
}
