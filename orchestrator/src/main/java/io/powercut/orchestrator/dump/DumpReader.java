// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dump;

import io.powercut.oracle.OutputCheck;
import io.powercut.oracle.Verdict;
import io.powercut.process.CommandResult;

/** Keeps what the dump of an image printed, and finds it good as long as all of it is there. */
public final class DumpReader implements OutputCheck {
  private final String what;
  private Dump dump;

  /**
   * @param what as in {@link Dump#of}
   */
  public DumpReader(String what) {
    this.what = what;
    this.dump = Dump.missing(what, "the dump was not run");
  }

  @Override
  public Verdict judge(CommandResult result) {
    dump = Dump.of(what, result);
    return dump.text().isPresent()
        ? new Verdict.Consistent()
        : new Verdict.Inconclusive("the dump cannot be used: " + dump.problem());
  }

  /** What was printed last. */
  public Dump dump() {
    return dump;
  }
}
