// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a program-order image that recovery fails on does not have yet, and the next one that it
 * succeeds on has: the stores and changes of metadata between these two failure points. Which of
 * them recovery waits for is not known if there are several.
 *
 * @param consistentAt that next failure point
 * @param consistentOccurrence which of its occurrences, from 1; the first where an older run does
 *     not say
 * @param first the first of them in words
 * @param last the last one in words; as the first where an older run does not say
 * @param stores the first stores, in the order in which they were made
 * @param more how many more there were after these
 * @param calls the first changes of metadata, in their order; empty in older runs
 * @param atLeast whether there were more than these, and it is not known how many; the last is not
 *     known then
 */
public record ImageLacks(
    FailurePointId consistentAt,
    long consistentOccurrence,
    String first,
    @Nullable String last,
    List<ImageStore> stores,
    long more,
    List<MetadataCall> calls,
    boolean atLeast) {
  /** Copies the list. */
  public ImageLacks {
    consistentOccurrence = Math.max(1, consistentOccurrence);
    last = last == null ? first : last;
    stores = List.copyOf(stores);
    calls = calls == null ? List.of() : List.copyOf(calls);
  }

  /** The same where there were more, and it is not known how many. */
  public ImageLacks butAtLeast() {
    return new ImageLacks(
        consistentAt, consistentOccurrence, first, first, stores, more, calls, true);
  }

  /** Whether the first or the last has the same words as a store that the image has. */
  boolean isNamedLike(EarlyStore other) {
    return first.equals(other.inWords()) || (last != null && last.equals(other.inWords()));
  }

  /** The same with the bytes of the first and the last store, if both are known. */
  ImageLacks withPlaces() {
    if (!calls.isEmpty()) {
      return this;
    }
    String begin = first + stores.get(0).place();
    String end = isWhole() ? last + stores.get(stores.size() - 1).place() : last;
    return new ImageLacks(
        consistentAt,
        consistentOccurrence,
        begin,
        !isWhole() && first.equals(last) ? begin : end,
        stores,
        more,
        calls,
        atLeast);
  }

  /** Whether it is one store. */
  boolean isOne() {
    return count() == 1;
  }

  /** Whether nothing was left out. */
  private boolean isWhole() {
    return more == 0 && !atLeast;
  }

  /** The store, if it is all. */
  public Optional<ImageStore> only() {
    return isOne() ? lastKnown() : Optional.empty();
  }

  /** The stores, if they are all; else none. */
  public List<ImageStore> all() {
    return isWhole() && calls.isEmpty() ? stores : List.of();
  }

  private long count() {
    return stores.size() + more + calls.size();
  }

  /** The last store, unless others are only counted, or it is not the last change. */
  Optional<ImageStore> lastKnown() {
    return isWhole() && calls.isEmpty()
        ? Optional.of(stores.get(stores.size() - 1))
        : Optional.empty();
  }

  /** What to do about an unlink before them. */
  Optional<String> adviceAfter(MetadataCall early) {
    if (!early.isUnlink()) {
      return Optional.empty();
    }
    if (calls.stream().anyMatch(later -> later.isRenameTo(early.path()))) {
      return Optional.of("leave out the unlink, as rename replaces a file in one step");
    }
    if (calls.stream().anyMatch(later -> later.isMakingOf(early.path()))) {
      return Optional.of(
          "in place of the unlink, make the new one under another name, and rename it to "
              + early.path());
    }
    return isWhole() && calls.stream().anyMatch(later -> isOfOneFunction(early, later))
        ? Optional.of("unlink it after " + (isOne() ? "that" : "these"))
        : Optional.empty();
  }

  private static boolean isOfOneFunction(MetadataCall early, MetadataCall later) {
    return CallPath.isOfOneFunction(early.stack(), later.stack());
  }

  /** All of them in words. */
  @JsonIgnore
  public String inWords() {
    if (isOne()) {
      return first + ", which comes later";
    }
    return (atLeast ? "at least " : "")
        + "%,d %s that come later, ".formatted(count(), calls.isEmpty() ? "stores" : "changes")
        + (first.equals(last) ? "the first is " + first : "from " + first + " to " + last);
  }
}
