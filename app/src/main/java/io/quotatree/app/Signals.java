package io.quotatree.app;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * The signals of the operating system. The JDK offers them in {@code sun.misc} alone, in its module
 * for what everybody uses and nobody replaced; reached by name, since the compiler warns of it.
 */
final class Signals {

  private Signals() {}

  /**
   * Runs an action on a thread of its own whenever the signal arrives. Where there is no such
   * signal (Windows has no HUP), or the JVM keeps it to itself ({@code -Xrs}), nobody can send it.
   *
   * @param name the signal's name without SIG
   */
  static void on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler run =
          (proxy, method, arguments) -> {
            action.run();
            return null;
          };
      signal
          .getMethod("handle", signal, handler)
          .invoke(
              null,
              signal.getConstructor(String.class).newInstance(name),
              Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, run));
    } catch (ReflectiveOperationException e) {
      // No such signal here, or none that is ours to handle.
    }
  }
}
