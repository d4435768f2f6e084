// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import java.nio.file.Path;
import java.util.List;

/**
 * A command of Powercut to be run on any machine.
 *
 * @param label what it is, for people
 * @param arguments without the name of the program. {@code {0}}, {@code {1}} and so on stand for
 *     the folder of an input, {@code {out}} for a folder whose contents come back
 * @param inputs archives ({@link Archive}); each is sent to a machine once
 */
public record Unit(String label, List<String> arguments, List<Path> inputs) {
  /** Copies the lists. */
  public Unit {
    arguments = List.copyOf(arguments);
    inputs = List.copyOf(inputs);
  }
}
