// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.process;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.template.Regex;
import io.powercut.process.Signal;
import java.util.List;
import java.util.Optional;

/**
 * How a command ends when all is well. A server that ends by the signal of its {@code stop} ends as
 * if it had exited with 0.
 */
public record Expectation(
    @Key(
            value = "The exit codes that mean success.",
            defaultValue = "[0]",
            min = "0",
            max = "255",
            example = "[0, 3]")
        List<Integer> exit,
    @Key(value = "The signals that mean success.", example = "[TERM]") List<Signal> signal,
    @Key(
            value =
                "A regular expression that must match the output (standard output and standard error).",
            example = "\"check passed\"")
        Optional<Regex> output,
    @Key(
            value = "A regular expression that must not match the output.",
            example = "\"(?i)corrupt\"")
        Optional<Regex> notOutput) {

  public Expectation {
    exit = List.copyOf(exit);
    signal = List.copyOf(signal);
    requireNonNull(output, "output is null");
    requireNonNull(notOutput, "notOutput is null");
    if (exit.isEmpty() && signal.isEmpty()) {
      throw new IllegalArgumentException(
          "can never be met: neither an exit code nor a signal means success; write for example exit: [0]");
    }
  }

  /** True if this output, standard output and error together, is as it should be. */
  public boolean acceptsOutput(CharSequence text) {
    return output.map(regex -> regex.isFoundIn(text)).orElse(true)
        && !notOutput.map(regex -> regex.isFoundIn(text)).orElse(false);
  }

  /** True if an exit with this code means success. */
  public boolean acceptsExit(int code) {
    return exit.contains(code);
  }

  /** True if an end by this signal means success. */
  public boolean acceptsSignal(Signal ending) {
    return signal.contains(ending);
  }
}
