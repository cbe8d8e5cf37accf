package io.quotatree.cli;

import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads quota files that a user named. */
final class QuotaFileOnDisk {

  private QuotaFileOnDisk() {}

  /**
   * Reads a file.
   *
   * @throws CommandException if it cannot be read
   */
  static Reading read(Path file) {
    if (Files.isDirectory(file)) {
      throw new CommandException(file + ": a folder; name a file in it");
    }
    try {
      return QuotaFiles.read(file);
    } catch (IOException e) {
      throw Complaints.about(file, e);
    }
  }
}
