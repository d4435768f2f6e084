// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

/**
 * What a run reports while it works. Implementations must be safe for use by several threads; none
 * of the calls may block for long.
 */
public interface Progress {
  /** Reports nothing. */
  Progress SILENT =
      new Progress() {
        @Override
        public void phase(String title) {}

        @Override
        public void step(String task, long done, long total) {}

        @Override
        public void note(String message) {}

        @Override
        public void close() {}
      };

  /** A new phase of the run begins, for example {@code set-up}. */
  void phase(String title);

  /**
   * How far the present phase has come.
   *
   * @param task what is counted, for example {@code failure points}
   * @param done how many are done, from 0 to {@code total}
   * @param total how many there are as far as is known now, or 0 when unknown
   */
  void step(String task, long done, long total);

  /** A line worth keeping on the screen, for example a finding as it is found. */
  void note(String message);

  /** Ends the display; later calls are ignored. */
  void close();
}
