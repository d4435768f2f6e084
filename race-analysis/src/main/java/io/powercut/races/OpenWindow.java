// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.races.found.RaceEvidence;
import java.util.ArrayList;
import java.util.List;

/** What a store put into a line, as long as a crash can take it away. */
final class OpenWindow {
  /** Loads of it while it was in flight that have the same place, thread and bytes. */
  static final class Observation {
    private final Load first;
    private long count = 1;

    /** Those in flight when the reader, behind the first load, had persisted something. */
    private long ofConsequence;

    /** Whether the reader, behind the first load, has done something that no crash was tried of. */
    private boolean isDue;

    Observation(Load first) {
      this.first = first;
    }

    Load first() {
      return first;
    }

    long count() {
      return count;
    }

    /** A crash is tried of what the reader has done by now. */
    void isTried() {
      isDue = false;
    }

    /** Of some bytes that are in flight no more. */
    RaceEvidence evidence(long bytes) {
      return (ofConsequence & bytes) == 0 ? RaceEvidence.OBSERVED : RaceEvidence.CONSEQUENCE;
    }
  }

  /**
   * What stores.
   *
   * @param isPastCache whether no flush persists it
   */
  record Instruction(int site, boolean isPastCache) {}

  private final Access store;
  private final Instruction instruction;
  private final long number;
  private final long line;
  private final Window.StoredUnit unit;
  private long bytes;
  private int parts;
  private boolean isFlushed;
  private List<Observation> observations = List.of();

  /**
   * @param instruction the one that stores
   * @param number which of its thread's stores it is, from 1
   * @param unit what it stores there
   */
  OpenWindow(
      Access store, Instruction instruction, long number, long line, Window.StoredUnit unit) {
    this.store = store;
    this.instruction = instruction;
    this.number = number;
    this.line = line;
    this.unit = unit;
  }

  Access store() {
    return store;
  }

  /** The instruction that stores. */
  int site() {
    return instruction.site();
  }

  /** Its thread flushes the line. */
  void flush() {
    isFlushed = true;
  }

  /** Whether a fence of its thread persists it, with no more flushes. */
  boolean isFlushed() {
    return isFlushed || instruction.isPastCache();
  }

  /** Which of its thread's stores it is, from 1. */
  long number() {
    return number;
  }

  /** What it stored in the first of its units of the line. */
  Window.StoredUnit unit() {
    return unit;
  }

  /** The location of the line. */
  long line() {
    return line;
  }

  /** The bytes of the line that are still in flight and not overwritten. */
  long bytes() {
    return bytes;
  }

  List<Observation> observations() {
    return observations;
  }

  /**
   * A record of the store put these into the line.
   *
   * @param isPart whether it departs by itself
   */
  void add(long more, boolean isPart) {
    bytes |= more;
    parts += isPart ? 1 : 0;
  }

  /** A part departs. What of it is left; all if it is the last one. */
  long depart(long ofPart) {
    parts--;
    return parts <= 0 ? bytes : bytes & ofPart;
  }

  /** Some bytes are not in flight any more. */
  void end(long some) {
    bytes &= ~some;
  }

  /** Another thread loaded bytes that are in flight; whether it is the first load of its kind. */
  boolean observe(Load load) {
    for (Observation known : observations) {
      Access first = known.first.access();
      if (known.first.bytes() == load.bytes()
          && first.place() == load.access().place()
          && first.thread() == load.access().thread()) {
        known.count++;
        return false;
      }
    }
    observations = observations.isEmpty() ? new ArrayList<>(1) : observations;
    observations.add(new Observation(load));
    return true;
  }

  /** What a thread did at a place of the trace lasts, and so do the bytes not that it loaded. */
  void hasConsequence(int thread, long ordinal) {
    for (Observation known : observations) {
      Access load = known.first.access();
      if (load.thread() == thread && load.ordinal() < ordinal) {
        known.ofConsequence |= bytes & known.first.bytes();
      }
    }
  }

  /** A thread did something that may follow from what it loaded; the loads that become due so. */
  List<Observation> isActedOn(int thread, long ordinal) {
    List<Observation> due = new ArrayList<>(1);
    for (Observation known : observations) {
      Access load = known.first.access();
      if (!known.isDue && load.thread() == thread && load.ordinal() < ordinal) {
        known.isDue = true;
        due.add(known);
      }
    }
    return due;
  }
}
