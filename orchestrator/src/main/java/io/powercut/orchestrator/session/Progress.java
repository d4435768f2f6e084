// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.report.evidence.Judgement;
import io.powercut.report.rundir.StateVerdicts;

/**
 * What a run reports while it works. Implementations must be safe for use by several threads; none
 * of the calls may block for long.
 */
public interface Progress {
  /**
   * What a run has come to so far.
   *
   * @param failurePoints how many are known
   * @param images how many were judged in program order
   * @param states how many crash states beyond it were judged
   * @param bugs how many were announced; the report may count several of them as one
   */
  record Tally(long failurePoints, long images, long states, long bugs) {
    /** Of a run that has judged nothing. */
    public static final Tally NOTHING = new Tally(0, 0, 0, 0);
  }

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
   * A new phase begins, in which it is known how much there is to judge.
   *
   * @param images how many images
   */
  default void phase(String title, long images) {
    phase(title);
  }

  /**
   * How far the present phase has come.
   *
   * @param task what is counted, for example {@code failure points}
   * @param done how many are done, from 0 to {@code total}
   * @param total how many there are, or 0 as long as that is unknown
   */
  void step(String task, long done, long total);

  /** An image was judged in program order. */
  default void judged(Judgement judgement) {}

  /** Crash states were judged at an occurrence, or it is known now what there is to judge. */
  default void explored(StateVerdicts states) {}

  /** What was judged so far, in all phases. */
  default void tally(Tally tally) {}

  /**
   * A bug, as soon as it is found.
   *
   * @param line what there is to say of it, in one line
   */
  default void found(String line) {
    note(line);
  }

  /** A line worth keeping on the screen. */
  void note(String message);

  /** Ends the display; later calls are ignored. */
  void close();

  /** Passes on what it gets; a subclass changes some of it. */
  abstract class Forwarding implements Progress {
    private final Progress next;

    /**
     * @param next gets it
     */
    protected Forwarding(Progress next) {
      this.next = next;
    }

    @Override
    public void phase(String title) {
      next.phase(title);
    }

    @Override
    public void phase(String title, long images) {
      next.phase(title, images);
    }

    @Override
    public void step(String task, long done, long total) {
      next.step(task, done, total);
    }

    @Override
    public void judged(Judgement judgement) {
      next.judged(judgement);
    }

    @Override
    public void explored(StateVerdicts states) {
      next.explored(states);
    }

    @Override
    public void tally(Tally tally) {
      next.tally(tally);
    }

    @Override
    public void found(String line) {
      next.found(line);
    }

    @Override
    public void note(String message) {
      next.note(message);
    }

    @Override
    public void close() {
      next.close();
    }
  }
}
