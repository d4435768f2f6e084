// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/** How a command ended. An exit code is never a signal and a signal never an exit code. */
public sealed interface Ending {
  /** One sentence for a person, without a full stop. */
  String describe();

  /** What the function for its kind says. */
  <R> R match(
      Function<Exited, R> exited,
      Function<Signalled, R> signalled,
      Function<TimedOut, R> timedOut,
      Function<Aborted, R> aborted);

  /** It neither ended by itself nor had all its time: this says nothing about the command. */
  sealed interface Aborted extends Ending {
    /** Why. */
    Cause cause();

    @Override
    default <R> R match(
        Function<Exited, R> exited,
        Function<Signalled, R> signalled,
        Function<TimedOut, R> timedOut,
        Function<Aborted, R> aborted) {
      return aborted.apply(this);
    }
  }

  /** Why a command was aborted: one for each kind. */
  enum Cause {
    /** {@link MemoryLimitExceeded}. */
    MEMORY,
    /** {@link SpaceExhausted}. */
    SPACE,
    /** {@link NotStarted}. */
    NOT_STARTED,
    /** {@link Stopped}. */
    STOPPED,
    /** {@link Strayed}. */
    STRAYED,
    /** {@link SupervisorLost}. */
    SUPERVISOR_LOST
  }

  /**
   * The command ended by itself.
   *
   * @param code from 0 to 255, whatever the command means by it; also 137 or 139 are only a code
   *     here
   */
  record Exited(int code) implements Ending {
    @Override
    public String describe() {
      return "it exited with code " + code;
    }

    @Override
    public <R> R match(
        Function<Exited, R> exited,
        Function<Signalled, R> signalled,
        Function<TimedOut, R> timedOut,
        Function<Aborted, R> aborted) {
      return exited.apply(this);
    }
  }

  /**
   * The command was ended by a signal that we did not send to kill it.
   *
   * @param signal the signal, from the kernel's own wait status
   */
  record Signalled(Signal signal) implements Ending {
    @Override
    public String describe() {
      return "it was ended by " + signal;
    }

    @Override
    public <R> R match(
        Function<Exited, R> exited,
        Function<Signalled, R> signalled,
        Function<TimedOut, R> timedOut,
        Function<Aborted, R> aborted) {
      return signalled.apply(this);
    }
  }

  /**
   * The command was still running at its time limit and was killed.
   *
   * @param limit its time limit
   * @param isOfProcessor whether that is processor time
   */
  record TimedOut(Duration limit, boolean isOfProcessor) implements Ending {
    /** Of wall-clock time. */
    public TimedOut(Duration limit) {
      this(limit, false);
    }

    @Override
    public String describe() {
      return "it was still running after its time limit of "
          + Format.duration(limit)
          + (isOfProcessor ? " of processor time" : "")
          + ", and was killed";
    }

    @Override
    public <R> R match(
        Function<Exited, R> exited,
        Function<Signalled, R> signalled,
        Function<TimedOut, R> timedOut,
        Function<Aborted, R> aborted) {
      return timedOut.apply(this);
    }
  }

  /**
   * The command and all that it started had more private memory than allowed, and were killed.
   *
   * @param limit what was allowed
   * @param seen what they had: anonymous memory, without mapped files
   */
  record MemoryLimitExceeded(DataSize limit, DataSize seen) implements Aborted {
    @Override
    public Cause cause() {
      return Cause.MEMORY;
    }

    @Override
    public String describe() {
      return "it used " + seen + " of memory, its limit was " + limit + ", and was killed";
    }
  }

  /**
   * The command broke a {@link SpaceGuard}: it was killed, or had ended by then.
   *
   * @param directory the guarded directory
   * @param what the bound that was broken and what was seen
   */
  record SpaceExhausted(Path directory, String what) implements Aborted {
    @Override
    public Cause cause() {
      return Cause.SPACE;
    }

    @Override
    public String describe() {
      return "it ran out of space in " + directory + ": " + what;
    }
  }

  /**
   * The command did not run at all.
   *
   * @param reason why not, with the path and the kernel's own words
   */
  record NotStarted(String reason) implements Aborted {
    @Override
    public Cause cause() {
      return Cause.NOT_STARTED;
    }

    @Override
    public String describe() {
      return "it could not be started: " + reason;
    }
  }

  /**
   * We killed the command because we were asked to, or because it did not obey a request to stop.
   */
  record Stopped() implements Aborted {
    @Override
    public Cause cause() {
      return Cause.STOPPED;
    }

    @Override
    public String describe() {
      return "it was killed on request";
    }
  }

  /**
   * The command asked for a file in the PM directory of another execution, and was killed before it
   * got it.
   *
   * @param path the file, or the directory in which it was to be made
   */
  record Strayed(String path) implements Aborted {
    @Override
    public Cause cause() {
      return Cause.STRAYED;
    }

    @Override
    public String describe() {
      return "it opened or looked for "
          + path
          + ", which belongs to another execution, and was killed: its files name that by an absolute path"
          + " (a symbolic link, a pool set, a path stored in a pool). Make the path relative, or pass it to"
          + " the program as {pm}";
    }
  }

  /**
   * The supervisor is gone, and the command with it: how it would have ended is not known.
   *
   * @param reason what is known of it
   */
  record SupervisorLost(String reason) implements Aborted {
    @Override
    public Cause cause() {
      return Cause.SUPERVISOR_LOST;
    }

    @Override
    public String describe() {
      return "its supervisor was lost: " + reason;
    }
  }
}
