// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import java.util.Locale;
import java.util.Optional;

/**
 * An order of threads that was made to bring a race about: the writer was held behind its store,
 * before it persisted it, so that the reader could load it.
 *
 * @param thread the writer
 * @param store which of its stores it was, from 1
 * @param outcome what came of it: {@code tried}, {@code broken}, {@code unused}, {@code impossible}
 *     or {@code failed}
 * @param persister the thread that was held instead, if it is another one that persists the store
 * @param stores at how many stores of the race a writer was held, of which this says most
 */
public record HeldOrder(
    int thread, long store, String outcome, Optional<Integer> persister, int stores) {
  /** The reader acted on what it loaded, and a crash was tried there. */
  public static final String TRIED = "tried";

  /** The same, but recovery fails there even with the store. */
  public static final String BROKEN = "broken";

  /** The reader loaded it, but stored and wrote nothing before it was persisted. */
  public static final String UNUSED = "unused";

  /** The reader could not load it, as when it waits for a lock of the writer's. */
  public static final String IMPOSSIBLE = "impossible";

  /** The target failed in this order, or did not come to the store. */
  public static final String FAILED = "failed";

  /** Earlier versions wrote no {@code stores}. */
  public HeldOrder {
    stores = Math.max(1, stores);
  }

  /** A writer that persists its store itself was held, and at no other store. */
  public HeldOrder(int thread, long store, String outcome) {
    this(thread, store, outcome, Optional.empty(), 1);
  }

  /** The same with another outcome. */
  public HeldOrder with(String other) {
    return new HeldOrder(thread, store, other, persister, stores);
  }

  /** The same, where so many stores were tried. */
  public HeldOrder ofStores(int many) {
    return new HeldOrder(thread, store, outcome, persister, many);
  }

  /** The same as a sentence. */
  public String inSentence() {
    return "T" + inWords().substring(1) + ".";
  }

  /** What was done, and what came of it. */
  public String inWords() {
    String what =
        switch (outcome) {
          case TRIED -> "the reader loaded the store and acted on it";
          case BROKEN ->
              "the reader loaded the store and acted on it, and recovery fails even with the store";
          case UNUSED -> "the reader loaded the store, and did nothing that lasts";
          case IMPOSSIBLE -> "it could not happen in this order";
          default -> "the target failed, or did not come there";
        };
    String tried = stores == 1 ? "" : " (one of %d stores tried)".formatted(stores);
    return persister
        .map(
            other ->
                String.format(
                    Locale.ROOT,
                    "thread %d was held before it persisted store %,d of thread %d%s: %s",
                    other,
                    store,
                    thread,
                    tried,
                    what))
        .orElseGet(
            () ->
                String.format(
                    Locale.ROOT,
                    "thread %d was held behind its store %,d%s: %s",
                    thread,
                    store,
                    tried,
                    what));
  }
}
