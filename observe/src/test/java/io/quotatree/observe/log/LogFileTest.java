package io.quotatree.observe.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogFileTest {

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("d.jsonl");
  }

  private static byte[] line(int number) {
    return ("line " + number + "\n").getBytes(UTF_8);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void a_full_file_is_numbered_and_only_so_many_are_kept() throws IOException {
    LogFile log = new LogFile(file(), 14, 3);
    for (int i = 0; i < 10; i++) {
      log.write(line(i));
    }
    log.close();
    assertThat(names()).containsExactly("d.jsonl", "d.jsonl.1", "d.jsonl.2", "d.jsonl.3");
    assertThat(Files.readString(file())).isEqualTo("line 8\nline 9\n");
    assertThat(Files.readString(folder.resolve("d.jsonl.1"))).isEqualTo("line 6\nline 7\n");
    assertThat(Files.readString(folder.resolve("d.jsonl.3"))).isEqualTo("line 2\nline 3\n");
  }

  @Test
  void what_was_there_is_kept_and_counts() throws IOException {
    Files.writeString(file(), "from before\n");
    LogFile log = new LogFile(file(), 14, 3);
    log.write(line(1));
    log.close();
    assertThat(Files.readString(folder.resolve("d.jsonl.1"))).isEqualTo("from before\n");
    assertThat(Files.readString(file())).isEqualTo("line 1\n");
  }

  @Test
  void a_line_longer_than_a_file_has_one_of_its_own() throws IOException {
    LogFile log = new LogFile(file(), 4, 2);
    log.write(line(1));
    log.write(line(2));
    log.close();
    assertThat(Files.readString(folder.resolve("d.jsonl.1"))).isEqualTo("line 1\n");
    assertThat(Files.readString(file())).isEqualTo("line 2\n");
  }

  @Test
  void a_file_that_is_emptied_is_written_from_its_beginning() throws IOException {
    LogFile log = new LogFile(file(), 14, 3);
    log.write(line(1));
    Files.write(file(), new byte[0]);
    log.write(line(2));
    log.write(line(3));
    log.close();
    assertThat(Files.readString(file())).isEqualTo("line 2\nline 3\n");
    assertThat(names()).containsExactly("d.jsonl");
  }

  @Test
  void two_processes_may_write_to_one_file_and_rotate_it() throws IOException {
    LogFile one = new LogFile(file(), 14, 9);
    LogFile other = new LogFile(file(), 14, 9);
    for (int i = 0; i < 10; i++) {
      one.write(line(i));
      other.lookAfter();
      other.write(line(i));
      one.lookAfter();
    }
    one.close();
    other.close();
    long lines = 0;
    for (String name : names()) {
      lines += Files.readAllLines(folder.resolve(name)).size();
    }
    assertThat(lines).isEqualTo(20);
  }

  @Test
  void whoever_finds_a_full_file_moved_does_not_move_the_new_one() throws IOException {
    LogFile log = new LogFile(file(), 14, 3);
    log.write(line(1));
    log.write(line(2));
    Files.move(file(), folder.resolve("theirs"));
    Files.writeString(file(), "new\n");
    log.write(line(3));
    log.close();
    assertThat(Files.readString(file())).isEqualTo("new\nline 3\n");
    assertThat(names()).containsExactly("d.jsonl", "theirs");
  }
}
