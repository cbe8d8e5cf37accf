package io.quotatree.testkit.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are looked for, fetched and run. */
final class DebianProgramTest {

  @TempDir private Path folder;

  @Test
  void each_can_be_had_and_runs() {
    assertThat(DebianProgram.CURL.run("--version")).startsWith("curl ");
    assertThat(DebianProgram.H2LOAD.run("--version")).startsWith("h2load ");
    assertThat(DebianProgram.NGINX.run("-v")).contains("nginx/");
    assertThat(DebianProgram.WRK.command("-v").command()).hasSize(2);
  }

  @Test
  void a_bad_end_is_an_error_that_tells_what_the_program_said() {
    assertThatThrownBy(() -> DebianProgram.CURL.run("--no-such-option"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("curl ended with 2")
        .hasMessageContaining("--no-such-option");
  }

  @Test
  void a_package_that_nobody_has_is_an_error_that_tells_so_and_takes_no_place() {
    PackageCache cache =
        new PackageCache(
            folder,
            "-o",
            "Dir::Etc::SourceList=/dev/null",
            "-o",
            "Dir::Etc::SourceParts=/dev/null");
    assertThatThrownBy(() -> cache.unpacked("quotatree-no-such-package"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("quotatree-no-such-package");
    assertThat(folder.resolve("quotatree-no-such-package")).doesNotExist();
  }

  @Test
  void what_was_fetched_is_not_fetched_again() throws IOException {
    Path kept = Files.createDirectory(folder.resolve("quotatree-no-such-package"));
    assertThat(new PackageCache(folder).unpacked("quotatree-no-such-package")).isEqualTo(kept);
  }

  @Test
  void nginx_serves_from_its_folder_and_ends_with_it() throws IOException {
    Files.writeString(folder.resolve("page"), "hello");
    Nginx nginx = Nginx.start(folder, "server { listen 127.0.0.1:${port}; root .; }");
    String address = "http://127.0.0.1:" + nginx.port() + "/page";
    assertThat(DebianProgram.CURL.run("-s", address)).isEqualTo("hello");
    nginx.close();
    assertThatThrownBy(() -> DebianProgram.CURL.run("-s", address))
        .hasMessageContaining("curl ended with 7");
  }

  @Test
  void an_nginx_that_does_not_start_tells_why() {
    assertThatThrownBy(() -> Nginx.start(folder, "no_such_directive on;"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("unknown directive \"no_such_directive\"");
  }
}
