// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.template;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The placeholders that powercut gives a value to, beside the campaign's own parameters. */
public enum Placeholder {
  /** The private directory for PM files of this execution. */
  PM("the execution's private directory for PM files"),
  /** A free TCP port, the same in all commands of one execution. */
  PORT("a free TCP port, the same in all commands of one execution"),
  /** A private scratch directory of this execution that is not persistent memory. */
  RUN("the execution's private scratch directory, outside persistent memory"),
  /** The folder that powercut is installed in. */
  HOME("the folder in which Powercut is installed"),
  /** What the target had acknowledged before the power was cut. */
  ACKNOWLEDGED(
      "in a recovery: a file that holds exactly what the target had written before the power cut");

  private final String meaning;

  Placeholder(String meaning) {
    this.meaning = meaning;
  }

  /** The name between the braces. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it stands for, in a few words. */
  public String meaning() {
    return meaning;
  }

  /** The placeholder of this name, if there is one. */
  public static Optional<Placeholder> named(String key) {
    return Arrays.stream(values()).filter(value -> value.key().equals(key)).findFirst();
  }

  /** All names. */
  public static List<String> keys() {
    return Arrays.stream(values()).map(Placeholder::key).toList();
  }
}
