// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import io.powercut.exit.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * When a command that ended by itself counts as successful. All that is said must hold.
 *
 * @param exitCodes the exit codes that are fine
 * @param signals the signals by which it may end
 * @param output what must be found somewhere in its output
 * @param notOutput what must not be found anywhere in its output
 */
public record Success(
    Set<Integer> exitCodes,
    Set<Signal> signals,
    Optional<Pattern> output,
    Optional<Pattern> notOutput) {

  /** Exit code 0, whatever it prints. */
  public static final Success EXIT_ZERO =
      new Success(Set.of(0), Set.of(), Optional.empty(), Optional.empty());

  /** What the rule says of a command. */
  public sealed interface Assessment {
    /** One sentence for a person, without a full stop. */
    String describe();

    /** What the function for its kind says. */
    <R> R match(Function<Met, R> met, Function<Unmet, R> unmet, Function<Unknown, R> unknown);

    /** It was successful. */
    record Met() implements Assessment {
      @Override
      public String describe() {
        return "it was successful";
      }

      @Override
      public <R> R match(
          Function<Met, R> met, Function<Unmet, R> unmet, Function<Unknown, R> unknown) {
        return met.apply(this);
      }
    }

    /**
     * It was not.
     *
     * @param why one sentence without a full stop
     */
    record Unmet(String why) implements Assessment {
      @Override
      public String describe() {
        return why;
      }

      @Override
      public <R> R match(
          Function<Met, R> met, Function<Unmet, R> unmet, Function<Unknown, R> unknown) {
        return unmet.apply(this);
      }
    }

    /**
     * It is unknown.
     *
     * @param why one sentence without a full stop
     */
    record Unknown(String why) implements Assessment {
      @Override
      public String describe() {
        return why;
      }

      @Override
      public <R> R match(
          Function<Met, R> met, Function<Unmet, R> unmet, Function<Unknown, R> unknown) {
        return unknown.apply(this);
      }
    }
  }

  /** Keeps its own copies. */
  public Success {
    exitCodes = Set.copyOf(exitCodes);
    signals = Set.copyOf(signals);
  }

  /**
   * Whether the output has to be kept in a file to apply the rule: the tail alone could miss
   * something.
   */
  public boolean looksAtOutput() {
    return output.isPresent() || notOutput.isPresent();
  }

  /** Applies the rule. A command that did not end by itself was not successful. */
  public Assessment assess(CommandResult result) {
    if (!isExpected(result.ending())) {
      return new Assessment.Unmet(result.ending().describe() + expectation());
    }
    if (!looksAtOutput()) {
      return new Assessment.Met();
    }
    try {
      return assessOutput(result, keptOutput(result));
    } catch (IOException e) {
      return new Assessment.Unknown(
          "its output could not be read again: " + FileProblem.of(e).text());
    } catch (StackOverflowError e) {
      // Java's expressions need stack for each repetition of a choice.
      return new Assessment.Unknown(
          "its output is too long for the regular expression; write it without a repeated choice such as"
              + " (a|b)*");
    }
  }

  private boolean isExpected(Ending ending) {
    return ending.match(
        exited -> exitCodes.contains(exited.code()),
        signalled -> signals.contains(signalled.signal()),
        timedOut -> false,
        aborted -> false);
  }

  private String expectation() {
    String codes = exitCodes.isEmpty() ? "" : ", expected exit code " + list(exitCodes);
    return signals.isEmpty()
        ? codes
        : codes + (codes.isEmpty() ? ", expected " : " or ") + list(signals);
  }

  private static String list(Set<?> values) {
    String text = new TreeSet<>(values).toString();
    return text.substring(1, text.length() - 1);
  }

  private Assessment assessOutput(CommandResult result, KeptOutput kept) {
    if (notOutput.isPresent() && kept.has(notOutput.get())) {
      return new Assessment.Unmet(
          result.ending().describe() + ", but its output has /" + notOutput.get() + "/");
    }
    boolean found = output.isEmpty() || kept.has(output.get());
    if (found && (notOutput.isEmpty() || kept.isWhole())) {
      return new Assessment.Met();
    }
    if (!kept.isWhole()) {
      return new Assessment.Unknown(
          "it printed "
              + DataSize.ofBytes(result.outputBytes())
              + ", more than was kept, so its output cannot be searched (raise the output limit)");
    }
    return new Assessment.Unmet(
        result.ending().describe() + ", but its output lacks /" + output.orElseThrow() + "/");
  }

  private static KeptOutput keptOutput(CommandResult result) throws IOException {
    String tail = result.outputTail();
    Optional<Path> file = result.outputFile();
    if (file.isEmpty() || result.outputBytes() <= CommandResult.TAIL_BYTES) {
      return new KeptOutput("", tail, result.outputBytes() <= CommandResult.TAIL_BYTES);
    }
    byte[] head = Files.readAllBytes(file.get());
    return new KeptOutput(
        new String(head, StandardCharsets.UTF_8), tail, head.length >= result.outputBytes());
  }

  private record KeptOutput(String head, String tail, boolean isWhole) {
    boolean has(Pattern pattern) {
      return pattern.matcher(head).find() || pattern.matcher(tail).find();
    }
  }
}
