// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.util.List;
import java.util.Locale;

/**
 * A signal of Linux on x86-64.
 *
 * @param number from 1 to 64
 */
public record Signal(int number) implements Comparable<Signal> {
  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  /** Asks a program to end. */
  public static final Signal TERM = new Signal(15);

  /** Ends a program without asking it. */
  public static final Signal KILL = new Signal(9);

  /** A key press of the user, who wants the program to end. */
  public static final Signal INT = new Signal(2);

  /** Refuses numbers that are no signals. */
  public Signal {
    if (number < 1 || number > 64) {
      throw new IllegalArgumentException("a signal's number is from 1 to 64: " + number);
    }
  }

  /**
   * Reads {@code SIGTERM}, {@code TERM} or {@code 15}.
   *
   * @throws IllegalArgumentException if the text names no signal
   */
  public static Signal parse(String text) {
    String name = text.strip().toUpperCase(Locale.ROOT);
    if (name.matches("[1-9]\\d?")) {
      return new Signal(Integer.parseInt(name));
    }
    int index = NAMES.indexOf(name.startsWith("SIG") ? name.substring(3) : name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "not a signal: \"" + text + "\", want a name like TERM or a number from 1 to 64");
    }
    return new Signal(index + 1);
  }

  /**
   * Its name as the kernel's headers have it, {@code SIGSEGV}; real-time signals are {@code SIG34}
   * and so on.
   */
  public String name() {
    return number <= NAMES.size() ? "SIG" + NAMES.get(number - 1) : "SIG" + number;
  }

  @Override
  public int compareTo(Signal other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return name();
  }
}
