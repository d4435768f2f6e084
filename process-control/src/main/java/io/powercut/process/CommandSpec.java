// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command to run, and its bounds.
 *
 * @param arguments the program and its arguments, not empty; a program without a slash is looked up
 *     on the command's PATH, a relative one with a slash is taken from the working directory. No
 *     shell is involved
 * @param environment added to the environment of this JVM, or instead of what is there
 * @param workingDirectory where it runs; a relative path is taken from where this JVM runs
 * @param timeLimit wall-clock time after which it is killed, more than zero
 * @param cpuLimit processor time of it and all that it started after which it is killed as well,
 *     more than zero; what descendants used that have ended need not count
 * @param memoryLimit anonymous memory that it and all that it started may have together (mapped
 *     files, tmpfs and PM not counted, pages shared after a fork counted twice); looked at every 25
 *     ms
 * @param spaceGuards directories that it must not fill
 * @param outputFile where the beginning of its output goes; created or emptied at the start. The
 *     tail is kept in any case
 * @param outputLimit how much of the output goes to that file
 * @param addressSpaceRandomised false switches address-space randomisation off for this command
 *     only
 * @param ownPm its PM directory, if it is to be kept out of those of other executions: it is {@code
 *     AREA/NAME/pm}, they are the same with another name
 */
public record CommandSpec(
    List<String> arguments,
    Map<String, String> environment,
    Path workingDirectory,
    Duration timeLimit,
    Optional<Duration> cpuLimit,
    Optional<DataSize> memoryLimit,
    List<SpaceGuard> spaceGuards,
    Optional<Path> outputFile,
    DataSize outputLimit,
    boolean addressSpaceRandomised,
    Optional<Path> ownPm) {

  /** What goes to the output file if nothing else is said. */
  public static final DataSize DEFAULT_OUTPUT_LIMIT = DataSize.ofMebibytes(1);

  /** Refuses what cannot be run. */
  public CommandSpec {
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
    spaceGuards = List.copyOf(spaceGuards);
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("a command needs at least a program");
    }
    if (timeLimit.isZero() || timeLimit.isNegative()) {
      throw new IllegalArgumentException("a time limit is more than zero: " + timeLimit);
    }
    if (cpuLimit.filter(limit -> limit.isZero() || limit.isNegative()).isPresent()) {
      throw new IllegalArgumentException(
          "a limit of processor time is more than zero: " + cpuLimit.get());
    }
    arguments.forEach(CommandSpec::refuseZeroByte);
    environment.forEach(CommandSpec::refuseVariable);
  }

  /**
   * A command with a time limit of one minute and no other bound, in the working directory of this
   * JVM.
   */
  public static Builder command(String... arguments) {
    return command(List.of(arguments));
  }

  /**
   * A command with a time limit of one minute and no other bound, in the working directory of this
   * JVM.
   */
  public static Builder command(List<String> arguments) {
    return new Builder(arguments);
  }

  /** A builder that starts from this command. */
  public Builder toBuilder() {
    Builder builder =
        new Builder(arguments)
            .environment(environment)
            .workingDirectory(workingDirectory)
            .timeLimit(timeLimit)
            .outputLimit(outputLimit)
            .addressSpaceRandomised(addressSpaceRandomised);
    cpuLimit.ifPresent(builder::cpuLimit);
    memoryLimit.ifPresent(builder::memoryLimit);
    spaceGuards.forEach(builder::spaceGuard);
    outputFile.ifPresent(builder::outputFile);
    ownPm.ifPresent(builder::ownPm);
    return builder;
  }

  private static void refuseZeroByte(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a command cannot hold a zero byte: " + text);
    }
  }

  private static void refuseVariable(String name, String value) {
    refuseZeroByte(name + value);
    if (name.isEmpty() || name.indexOf('=') >= 0) {
      throw new IllegalArgumentException(
          "not the name of an environment variable: \"" + name + "\"");
    }
  }

  /** Collects a command's properties. */
  public static final class Builder {
    private List<String> arguments;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private Path workingDirectory = Path.of("");
    private Duration timeLimit = Duration.ofMinutes(1);
    private Optional<Duration> cpuLimit = Optional.empty();
    private Optional<DataSize> memoryLimit = Optional.empty();
    private final List<SpaceGuard> spaceGuards = new ArrayList<>();
    private Optional<Path> outputFile = Optional.empty();
    private DataSize outputLimit = DEFAULT_OUTPUT_LIMIT;
    private boolean addressSpaceRandomised = true;
    private Optional<Path> ownPm = Optional.empty();

    private Builder(List<String> arguments) {
      this.arguments = arguments;
    }

    /** Replaces the program and its arguments. */
    public Builder arguments(List<String> newArguments) {
      arguments = newArguments;
      return this;
    }

    /** Adds variables. */
    public Builder environment(Map<String, String> variables) {
      environment.putAll(variables);
      return this;
    }

    /** Adds one variable. */
    public Builder environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    /** Sets where it runs. */
    public Builder workingDirectory(Path directory) {
      workingDirectory = directory;
      return this;
    }

    /** Sets the time limit. */
    public Builder timeLimit(Duration limit) {
      timeLimit = limit;
      return this;
    }

    /** Sets the limit of processor time. */
    public Builder cpuLimit(Duration limit) {
      cpuLimit = Optional.of(limit);
      return this;
    }

    /** Takes the limit of processor time away. */
    public Builder withoutCpuLimit() {
      cpuLimit = Optional.empty();
      return this;
    }

    /** Sets the memory limit. */
    public Builder memoryLimit(DataSize limit) {
      memoryLimit = Optional.of(limit);
      return this;
    }

    /** Adds a guard. */
    public Builder spaceGuard(SpaceGuard guard) {
      spaceGuards.add(guard);
      return this;
    }

    /** Asks for the output in a file. */
    public Builder outputFile(Path file) {
      outputFile = Optional.of(file);
      return this;
    }

    /** Sets how much goes to that file. */
    public Builder outputLimit(DataSize limit) {
      outputLimit = limit;
      return this;
    }

    /** Switches address-space randomisation on (the default) or off. */
    public Builder addressSpaceRandomised(boolean randomised) {
      addressSpaceRandomised = randomised;
      return this;
    }

    /** Keeps it out of the PM directories of other executions. */
    public Builder ownPm(Path directory) {
      ownPm = Optional.of(directory);
      return this;
    }

    /**
     * The command.
     *
     * @throws IllegalArgumentException if it cannot be run like this
     */
    public CommandSpec build() {
      return new CommandSpec(
          arguments,
          environment,
          workingDirectory,
          timeLimit,
          cpuLimit,
          memoryLimit,
          spaceGuards,
          outputFile,
          outputLimit,
          addressSpaceRandomised,
          ownPm);
    }
  }
}
