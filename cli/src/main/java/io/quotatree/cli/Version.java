package io.quotatree.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of the running program, from the manifest of its jar. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"quotatree " + (version == null ? "(development)" : version)};
  }
}
