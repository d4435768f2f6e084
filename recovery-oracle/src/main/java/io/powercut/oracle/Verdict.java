// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.process.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** What recovery says of a crash image. */
public sealed interface Verdict {
  /** The kinds of verdicts, for counting. */
  enum Kind {
    /** Recovery succeeded. */
    CONSISTENT,
    /** Recovery said no, or its contents do. */
    UNRECOVERABLE,
    /** Recovery, or a process that it started, was ended by a signal. */
    CRASHED,
    /** Recovery did not end. */
    HUNG,
    /** It could not be judged: neither healthy nor a bug. */
    INCONCLUSIVE;

    /** Whether it says that something is broken. */
    public boolean isFinding() {
      return switch (this) {
        case UNRECOVERABLE, CRASHED, HUNG -> true;
        case CONSISTENT, INCONCLUSIVE -> false;
      };
    }
  }

  /** Its kind. */
  Kind kind();

  /** One sentence for a person, without a full stop. */
  String describe();

  /** Whether it says that something is broken. */
  default boolean isFinding() {
    return kind().isFinding();
  }

  /**
   * What a person should see besides: nothing if all is well.
   *
   * @param printed the end of what the step printed that decided
   */
  String shown(String printed);

  /** Where recovery crashed or hung. */
  Optional<CrashStack> place();

  /** The signal that ended recovery, or that ended what it started, as its exit code suggests. */
  Optional<Signal> suspectedSignal();

  /** Every step of recovery was successful on this image. */
  record Consistent() implements Verdict {
    @Override
    public Kind kind() {
      return Kind.CONSISTENT;
    }

    @Override
    public String describe() {
      return "recovery succeeded on this image; this proves only what recovery checks";
    }

    @Override
    public String shown(String printed) {
      return "";
    }

    @Override
    public Optional<CrashStack> place() {
      return Optional.empty();
    }

    @Override
    public Optional<Signal> suspectedSignal() {
      return Optional.empty();
    }
  }

  /**
   * Recovery ended by itself and said that the image cannot be recovered.
   *
   * @param why which expectation was not met
   * @param said the end of what it printed, at most 16 KiB
   * @param exitCode its exit code, if it exited
   */
  record Unrecoverable(String why, String said, OptionalInt exitCode) implements Verdict {
    /** Signals that a shell reports by an exit code of 128 more, and which stand for a crash. */
    private static final Set<Integer> CRASH_SIGNALS = Set.of(4, 5, 6, 7, 8, 11, 31);

    private static final int SHELL_SIGNAL_BASE = 128;

    @Override
    public Kind kind() {
      return Kind.UNRECOVERABLE;
    }

    @Override
    public String describe() {
      return "recovery failed: " + why;
    }

    @Override
    public String shown(String printed) {
      return printed;
    }

    @Override
    public Optional<CrashStack> place() {
      return Optional.empty();
    }

    @Override
    public Optional<Signal> suspectedSignal() {
      int number = exitCode.orElse(0) - SHELL_SIGNAL_BASE;
      return CRASH_SIGNALS.contains(number) ? Optional.of(new Signal(number)) : Optional.empty();
    }
  }

  /**
   * Recovery says that all is well, but what the image holds after it is not what it must be.
   *
   * @param what one sentence, without a full stop, that starts with {@link #BEGINNING}
   * @param difference to what it must be, for a person
   */
  record WrongContents(String what, String difference) implements Verdict {
    /** What the sentence begins with. */
    public static final String BEGINNING = "after recovery the contents are neither those ";

    /** Whether a description is that of such a verdict. */
    public static boolean isDescribedBy(String description) {
      return description.startsWith(BEGINNING);
    }

    @Override
    public Kind kind() {
      return Kind.UNRECOVERABLE;
    }

    @Override
    public String describe() {
      return what;
    }

    @Override
    public String shown(String printed) {
      return difference;
    }

    @Override
    public Optional<CrashStack> place() {
      return Optional.empty();
    }

    @Override
    public Optional<Signal> suspectedSignal() {
      return Optional.empty();
    }
  }

  /**
   * Recovery was ended by a signal that it did not expect; or a process that it started was, and
   * recovery passed that on by its exit code, as shells do. An exit code above 128 alone, without a
   * crash that the crash catcher sees, is {@link Unrecoverable}.
   *
   * @param signal the signal, from the kernel's wait status or seen by the crash catcher
   * @param stack where that happened
   */
  record Crashed(Signal signal, CrashStack stack) implements Verdict {
    @Override
    public Kind kind() {
      return Kind.CRASHED;
    }

    @Override
    public String describe() {
      return "recovery crashed with "
          + signal
          + stack.place().map(frame -> " in " + frame).orElse(", stack unknown")
          + stack.missing().map(reason -> " (" + reason + ")").orElse("");
    }

    @Override
    public String shown(String printed) {
      return printed;
    }

    @Override
    public Optional<CrashStack> place() {
      return Optional.of(stack);
    }

    @Override
    public Optional<Signal> suspectedSignal() {
      return Optional.of(signal);
    }
  }

  /**
   * Recovery was still running at its time limit.
   *
   * @param limit the limit it had when it first ran; less than the step's own only where it hung at
   *     a place at which a recovery has hung for the whole of that
   * @param what what did not happen in that time
   * @param stack where it hung
   */
  record Hung(Duration limit, String what, CrashStack stack) implements Verdict {
    /** The same at a place. */
    Hung at(CrashStack place) {
      return new Hung(limit, what, place);
    }

    @Override
    public Kind kind() {
      return Kind.HUNG;
    }

    @Override
    public String describe() {
      return "recovery hung"
          + stack.place().map(frame -> " in " + frame.shortName()).orElse("")
          + ": "
          + what
          + stack.missing().map(reason -> " (" + reason + ")").orElse("");
    }

    @Override
    public String shown(String printed) {
      return printed;
    }

    @Override
    public Optional<CrashStack> place() {
      return Optional.of(stack);
    }

    @Override
    public Optional<Signal> suspectedSignal() {
      return Optional.empty();
    }
  }

  /**
   * The image could not be judged.
   *
   * @param reason why not
   * @param said what recovery printed, where it said now this and now that; else empty
   */
  record Inconclusive(String reason, String said) implements Verdict {
    /** One for which what recovery printed says nothing. */
    public Inconclusive(String reason) {
      this(reason, "");
    }

    @Override
    public Kind kind() {
      return Kind.INCONCLUSIVE;
    }

    @Override
    public String describe() {
      return "this image could not be judged: " + reason;
    }

    @Override
    public String shown(String printed) {
      return said.isEmpty() ? printed : said;
    }

    @Override
    public Optional<CrashStack> place() {
      return Optional.empty();
    }

    @Override
    public Optional<Signal> suspectedSignal() {
      return Optional.empty();
    }
  }
}
