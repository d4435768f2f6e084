// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

/** How the recorder stops an execution at a leaf. */
public enum OnStop {
  /** All its processes are killed: a power cut does not say goodbye. */
  KILL("kill"),
  /** It stands still and waits for gdb, with Valgrind's gdbserver. */
  GDB_SERVER("gdbserver");

  private final String label;

  OnStop(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
