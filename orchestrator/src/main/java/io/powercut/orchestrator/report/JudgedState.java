package io.powercut.orchestrator.report;

import java.util.List;
import java.util.Optional;

/**
 * How a crash image differs from that of program order at the same failure point, and why that
 * matters.
 *
 * @param id 16 hexadecimal digits, the same for the same lines with the same contents
 * @param policy who chose the state in which it was found, such as {@code one-line-lost}; it may
 *     have lost more than this one
 * @param fingerprint of the finding: of the functions that made the first lost store
 * @param lines the cache lines that are not as in program order
 * @param lost the stores whose loss recovery cannot cope with, the one to look at first in front;
 *     never empty
 * @param arrived the stores that have to persist before them for it, though they were not
 *     guaranteed either; empty when the loss alone is enough
 * @param smallest whether none of these can be left out; else the search for it was cut short
 * @param shownBefore a failure point in front of the lost stores whose image of program order shows
 *     the same mistake, if there is one: 16 hexadecimal digits
 * @param remedy what is missing or misplaced, in words
 */
public record JudgedState(
    String id,
    String policy,
    String fingerprint,
    List<Line> lines,
    List<Store> lost,
    List<Store> arrived,
    boolean smallest,
    Optional<String> shownBefore,
    String remedy) {
  private static final int STORES_SHOWN = 5;

  /** Copies the lists. */
  public JudgedState {
    lines = List.copyOf(lines);
    lost = List.copyOf(lost);
    arrived = List.copyOf(arrived);
  }

  /**
   * What of it a person is shown: a search that was cut short may leave thousands of stores.
   *
   * @param lost the first of them
   * @param arrived the first of them
   * @param more how many stores are left out
   */
  public record Shown(List<Store> lost, List<Store> arrived, int more) {}

  /** The stores to look at first. */
  public Shown shown() {
    List<Store> first = lost.subList(0, Math.min(STORES_SHOWN, lost.size()));
    List<Store> before = arrived.subList(0, Math.min(STORES_SHOWN, arrived.size()));
    return new Shown(first, before, lost.size() + arrived.size() - first.size() - before.size());
  }

  /**
   * A cache line.
   *
   * @param file path in the PM directory
   * @param offset of its first byte in the file
   * @param content its 64 bytes, in hexadecimal
   */
  public record Line(String file, long offset, String content) {}

  /**
   * A store that was not guaranteed.
   *
   * @param store what was stored, and where; of a store to several lines, the part in one
   * @param thread the number of the thread that stored, from 1
   * @param missing what it lacks to be safe: {@code flush}, {@code fence} (it was flushed), {@code
   *     order} (stores to one line persist in their order, and it came too late) or {@code
   *     atomicity} (a part of it persisted)
   */
  public record Store(ImageStore store, int thread, String missing) {}
}
