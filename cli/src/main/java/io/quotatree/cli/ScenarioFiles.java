package io.quotatree.cli;

import io.quotatree.scenario.ScenarioReader;
import io.quotatree.scenario.ScenarioReading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Finds and reads the scenarios that a user names, one by one or by folder. */
final class ScenarioFiles {

  private ScenarioFiles() {}

  /**
   * The scenarios in files and folders, in the order given, of a folder in the order of paths.
   *
   * @throws CommandException if a file is none, cannot be read, or there is none at all
   */
  static List<ScenarioReading> read(List<Path> paths) {
    // By absolute path, so that one that is named twice is run once.
    Map<Path, ScenarioReading> readings = new LinkedHashMap<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        for (Path file : yamlIn(path)) {
          add(readings, file);
        }
      } else if (add(readings, path) instanceof ScenarioReading.Other) {
        throw new CommandException(
            path + ": no scenario; a scenario is a YAML file with `steps` at its top level");
      }
    }
    List<ScenarioReading> scenarios =
        readings.values().stream().filter(r -> !(r instanceof ScenarioReading.Other)).toList();
    if (scenarios.isEmpty()) {
      throw new CommandException(
          "no scenario found in "
              + String.join(", ", paths.stream().map(Path::toString).toList())
              + "; a scenario is a *.yaml or *.yml file with `steps` at its top level");
    }
    return scenarios;
  }

  private static ScenarioReading add(Map<Path, ScenarioReading> readings, Path file) {
    return readings.computeIfAbsent(
        file.toAbsolutePath().normalize(),
        absolute -> {
          try {
            return ScenarioReader.read(file);
          } catch (IOException e) {
            throw Complaints.about(file, e);
          }
        });
  }

  private static List<Path> yamlIn(Path folder) {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(folder)) {
      walk.filter(ScenarioFiles::isYaml).filter(Files::isRegularFile).sorted().forEach(files::add);
    } catch (IOException e) {
      throw Complaints.about(folder, e);
    } catch (UncheckedIOException e) {
      throw Complaints.about(folder, new IOException(e.getMessage(), e));
    }
    return files;
  }

  private static boolean isYaml(Path path) {
    String name = String.valueOf(path.getFileName());
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }
}
