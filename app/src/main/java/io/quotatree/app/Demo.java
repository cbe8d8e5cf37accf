package io.quotatree.app;

import io.quotatree.gateway.server.Address;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The quickstart's quotas in front of a service of our own. */
final class Demo {

  private static final String RESOURCE = "quickstart.yaml";

  private Demo() {}

  /** The quickstart file, with its upstreams led to the given address. */
  static QuotaFile file(URI upstream) {
    QuotaFile file = quickstart();
    Map<String, QuotaFile.Upstream> upstreams =
        file.upstreams().entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    entry ->
                        new QuotaFile.Upstream(List.of(upstream), entry.getValue().timeout())));
    return new QuotaFile(
        "the demo (examples/quickstart.yaml)",
        file.server(),
        file.identity(),
        file.routes(),
        upstreams,
        file.store(),
        file.log(),
        file.defaults(),
        file.quotas());
  }

  private static QuotaFile quickstart() {
    try (InputStream in = Demo.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is not in the jar: build it with Maven");
      }
      Reading reading = QuotaFiles.read("examples/" + RESOURCE, in.readAllBytes());
      if (reading instanceof Reading.Sound sound) {
        return sound.file();
      }
      throw new IllegalStateException("the demo's own file has errors: " + reading);
    } catch (IOException e) {
      throw new UncheckedIOException("the demo's own file cannot be read", e);
    }
  }

  /** Tells what to try. */
  static void invite(PrintWriter out, Address listen) {
    String url = "http://" + listen;
    out.println();
    out.println("The service behind is built in; it answers with what arrives. Try:");
    out.println();
    out.println("  # a request that passes, and what is left of its quotas");
    out.println("  curl -i -H 'X-App-Id: shop' -H 'X-User-Id: ann' " + url + "/user/info");
    out.println();
    out.println("  # too much of a caller: 20 a minute, then 429 with X-RateLimit-Scope: caller");
    out.println(many(22, "-H 'X-App-Id: scraping-bot' " + url + "/user/info"));
    out.println();
    out.println("  # too much of a user: ten at once, then 429 with X-RateLimit-Scope: user");
    out.println(many(12, "-H 'X-App-Id: shop' -H 'X-User-Id: bob' " + url + "/user/info"));
    out.println();
    out.println("  # too much of an api, whoever asks: three in 10 s, then X-RateLimit-Scope: api");
    out.println(
        many(5, "-X POST -H 'X-App-Id: shop' -H \"X-User-Id: u$i\" " + url + "/report/export"));
    out.println();
    out.println("Stop it with Ctrl-C.");
  }

  private static String many(int times, String arguments) {
    return "  for i in $(seq "
        + times
        + "); do curl -s -o /dev/null -w '%{http_code} ' \\\n      "
        + arguments
        + "; done; \\\n  curl -i "
        + arguments;
  }
}
