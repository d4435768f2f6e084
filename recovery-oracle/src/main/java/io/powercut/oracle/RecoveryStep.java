// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.oracle.server.ServerPlan;
import io.powercut.process.CommandSpec;
import io.powercut.process.Success;
import java.util.Optional;

/**
 * One command of a recovery.
 *
 * @param name what it is called in reports
 * @param command the command on one copy of the image, with its limits. An output file that it
 *     names is not used: the oracle decides where output goes
 * @param success when the image is consistent as far as this step can tell
 * @param server what to do with it if it is a server; the success rule is about the server itself
 *     then, the plan has one for the client
 * @param check what looks at its output when it was successful; at its client's if it is a server
 */
public record RecoveryStep(
    String name,
    CommandSpec command,
    Success success,
    Optional<ServerPlan> server,
    Optional<OutputCheck> check) {
  /** A command or a server whose output is not looked at beyond the success rule. */
  public RecoveryStep(
      String name, CommandSpec command, Success success, Optional<ServerPlan> server) {
    this(name, command, success, server, Optional.empty());
  }

  /** A command that runs to its end. */
  public static RecoveryStep command(String name, CommandSpec command, Success success) {
    return new RecoveryStep(name, command, success, Optional.empty());
  }

  /** A server, which ends well if it exits with 0 or by the signal that stops it. */
  public static RecoveryStep server(String name, CommandSpec command, ServerPlan plan) {
    return new RecoveryStep(name, command, Success.EXIT_ZERO, Optional.of(plan));
  }

  /** The same with something that looks at its output. */
  public RecoveryStep checking(OutputCheck outputCheck) {
    return new RecoveryStep(name, command, success, server, Optional.of(outputCheck));
  }
}
