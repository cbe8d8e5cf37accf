package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The file that the demo serves by, and that users start from. */
final class DemoTest {

  @Test
  void the_quickstart_has_nothing_wrong_or_odd() throws IOException {
    Reading reading = QuotaFiles.read(Path.of("../examples/quickstart.yaml"));
    assertThat(reading).isInstanceOf(Reading.Sound.class);
    assertThat(((Reading.Sound) reading).warnings()).isEmpty();
  }

  @Test
  void the_demo_leads_it_to_a_service_of_its_own() {
    URI own = URI.create("http://127.0.0.1:4711");
    QuotaFile file = Demo.file(own);
    assertThat(file.upstreams().values())
        .isNotEmpty()
        .allSatisfy(upstream -> assertThat(upstream.targets()).containsExactly(own));
    assertThat(file.server().listen().isLoopback()).isTrue();
    assertThat(file.quotas().caller().overrides())
        .anySatisfy(line -> assertThat(line.pattern()).isEqualTo("scraping-bot"));
  }
}
