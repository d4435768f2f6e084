// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A thread that is kept from persisting one of its stores, so that others may load it before. It
 * stops in front of its first flush or fence behind the store, until nobody else can run.
 *
 * @param thread its number in the trace
 * @param store which of its stores, from 1, counted over its whole life
 * @param blocks how many blocks of code others may execute at most behind the store
 * @param reader a thread that lets others go first until the store, if there is one: it would load
 *     too early otherwise. Without it, a recorded schedule is followed up to the store
 * @param persister the thread that is kept from persisting the store, if it is another one than
 *     that which stored
 */
public record HeldWriter(
    int thread, long store, long blocks, Optional<Integer> reader, Optional<Integer> persister) {
  /** Blocks of code where nothing is said: a second or two under the recorder. */
  public static final long USUAL_BLOCKS = 10_000_000;

  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,5}):(\\d{1,12}):(\\d{1,12})(?::(\\d{1,5})(?::(\\d{1,5}))?)?");

  public HeldWriter {
    if (thread < 1
        || store < 1
        || blocks < 1
        || reader.filter(one -> one < 1).isPresent()
        || persister.filter(one -> one < 1).isPresent()) {
      throw new IllegalArgumentException(
          "thread is %d, store %d, blocks %d, reader %s, persister %s; want at least 1"
              .formatted(
                  thread,
                  store,
                  blocks,
                  reader.map(String::valueOf).orElse("none"),
                  persister.map(String::valueOf).orElse("none")));
    }
  }

  /** A writer that persists its store itself. */
  public HeldWriter(int thread, long store, long blocks, Optional<Integer> reader) {
    this(thread, store, blocks, reader, Optional.empty());
  }

  /** The same where another thread persists the store. */
  public HeldWriter persistedBy(int other) {
    return new HeldWriter(thread, store, blocks, reader, Optional.of(other));
  }

  /** As the recorder's option wants it. */
  @Override
  public String toString() {
    return "%d:%d:%d%s%s"
        .formatted(
            thread,
            store,
            blocks,
            reader.or(() -> persister.map(one -> 0)).map(one -> ":" + one).orElse(""),
            persister.map(one -> ":" + one).orElse(""));
  }

  /** What the recorder writes into the first line of a schedule. */
  static HeldWriter parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no hold: " + text);
    }
    return new HeldWriter(
        Integer.parseInt(matcher.group(1)),
        Long.parseLong(matcher.group(2)),
        Long.parseLong(matcher.group(3)),
        Optional.ofNullable(matcher.group(4)).map(Integer::valueOf).filter(one -> one != 0),
        Optional.ofNullable(matcher.group(5)).map(Integer::valueOf));
  }
}
