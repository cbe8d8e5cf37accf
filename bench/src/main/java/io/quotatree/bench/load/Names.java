package io.quotatree.bench.load;

/**
 * The names of one request. Every request has strings of its own, as one that was just read from a
 * socket has: no map finds a key by being handed the same object.
 *
 * @param caller the calling application
 * @param user the user's name, told apart by caller
 * @param path the api's path
 * @param inDebt whether the user's quota is used up for longer than any measurement takes
 */
public record Names(String caller, String user, String path, boolean inDebt) {

  /** The user as one key, for limiters that know flat keys alone. */
  public String userKey() {
    return caller + "/" + user;
  }

  /** Reads the names. */
  public int read() {
    return read(caller) + read(user) + read(path);
  }

  /** Reads a text of two cache lines at most. */
  public static int read(String text) {
    return text.charAt(0) + text.charAt(text.length() - 1);
  }

  static String caller(int number) {
    return numbered("app-", number, 5);
  }

  static String user(int number) {
    return numbered("u-", number, 8);
  }

  /** The path of an api. */
  public static String path(int number) {
    return numbered("/v1/orders/r", number, 4).concat("/items");
  }

  /** A prefix and a number with leading zeros; {@code String.format} would take minutes. */
  static String numbered(String prefix, long number, int digits) {
    char[] text = new char[prefix.length() + digits];
    prefix.getChars(0, prefix.length(), text, 0);
    long rest = number;
    for (int i = text.length - 1; i >= prefix.length(); i--) {
      text[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
    return new String(text);
  }
}
