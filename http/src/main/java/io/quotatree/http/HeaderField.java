package io.quotatree.http;

/**
 * One line of an answer's header.
 *
 * @param name its name
 * @param value its value: visible ASCII and spaces alone, so that no server has to guess an
 *     encoding and nothing in it can end the line
 */
public record HeaderField(String name, String value) {

  /** Refuses a value that could not be sent as it is. */
  public HeaderField {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' || value.charAt(i) > '~') {
        throw new IllegalArgumentException(
            "the header "
                + name
                + " holds the character "
                + (int) value.charAt(i)
                + " at "
                + i
                + ": write visible ASCII");
      }
    }
  }
}
