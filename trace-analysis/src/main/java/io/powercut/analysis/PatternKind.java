// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

/**
 * What a program can do wrong with persistent memory, as far as its trace shows it (Gonçalves et
 * al., EuroSys 2023, sections 2 and 4.2).
 */
public enum PatternKind {
  /**
   * At the end of the trace a store is not persisted, and its cache line is flushed somewhere in
   * the run. Involved: STORE, and FLUSH when only its fence is missing.
   */
  NOT_PERSISTED(
      "not-persisted",
      "A store that nothing persists, to a cache line that is flushed elsewhere in the run."),
  /** As {@link #NOT_PERSISTED}, to a cache line that is never flushed. Involved: STORE. */
  TRANSIENT_DATA(
      "transient-data",
      "A store that nothing persists, to a cache line that is never flushed: volatile data in"
          + " persistent memory, or every flush is missing."),
  /**
   * A store over one that was not persisted yet. Involved: STORE, OVERWRITTEN_STORE. Counted: such
   * stores.
   */
  DIRTY_OVERWRITE(
      "dirty-overwrite", "A store over bytes of an earlier store that was never persisted."),
  /**
   * A flush with nothing to write back. Involved: FLUSH, and EARLIER_FLUSH where known: the last
   * flush of the line that had something to write back.
   */
  REDUNDANT_FLUSH(
      "redundant-flush",
      "A flush of a line with nothing to write back: it costs time and achieves nothing."),
  /**
   * A flush of a line with stores of several places. Involved: FLUSH, STORE (the oldest), STORE
   * (the newest of another place).
   */
  MULTI_STORE_FLUSH(
      "multi-store-flush",
      "One flush for stores of several places that share a cache line: it depends on how memory is"
          + " laid out."),
  /** A fence that orders nothing. Involved: FENCE. */
  REDUNDANT_FENCE(
      "redundant-fence",
      "A fence without a flush or non-temporal store of its thread since the fence before."),
  /**
   * A fence that completes flushes or non-temporal stores of several lines. Involved: FENCE, then
   * FLUSH or STORE of the line that began to wait first and of the one that began last.
   */
  UNORDERED_FENCE(
      "unordered-fence",
      "A fence that waits for several cache lines at once: they may be persisted in any order.");

  private final String label;
  private final String meaning;

  PatternKind(String label, String meaning) {
    this.label = label;
    this.meaning = meaning;
  }

  /** The name in files and options: lower-case words with hyphens. */
  public String label() {
    return label;
  }

  /** One sentence for reports and help. */
  public String meaning() {
    return meaning;
  }

  /** The {@link #label}. */
  @Override
  public String toString() {
    return label;
  }
}
