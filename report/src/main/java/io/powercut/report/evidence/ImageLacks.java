// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a program-order image that recovery fails on does not have yet, and the next one that it
 * succeeds on has: the stores between these two failure points. Which of them recovery waits for is
 * not known if there are several.
 *
 * @param consistentAt that next failure point
 * @param consistentOccurrence which of its occurrences, from 1; the first where an older run does
 *     not say
 * @param first the first of the stores in words
 * @param last the last one in words; as the first where an older run does not say
 * @param stores the first of them, in the order in which they were made; never empty
 * @param more how many more there were after these
 */
public record ImageLacks(
    FailurePointId consistentAt,
    long consistentOccurrence,
    String first,
    @Nullable String last,
    List<ImageStore> stores,
    long more) {
  /** Copies the list. */
  public ImageLacks {
    consistentOccurrence = Math.max(1, consistentOccurrence);
    last = last == null ? first : last;
    stores = List.copyOf(stores);
  }

  /** Whether the first or the last has the same words as a store that the image has. */
  boolean isNamedLike(EarlyStore other) {
    return first.equals(other.inWords()) || (last != null && last.equals(other.inWords()));
  }

  /** The same with the bytes of the first and the last store, if both are known. */
  ImageLacks withPlaces() {
    String begin = first + stores.get(0).place();
    String end = more == 0 ? last + stores.get(stores.size() - 1).place() : last;
    return new ImageLacks(
        consistentAt,
        consistentOccurrence,
        begin,
        more > 0 && first.equals(last) ? begin : end,
        stores,
        more);
  }

  /** Whether it is one store. */
  boolean isOne() {
    return stores.size() + more == 1;
  }

  /** The last store, unless it is one of those that are only counted. */
  Optional<ImageStore> lastKnown() {
    return more == 0 ? Optional.of(stores.get(stores.size() - 1)) : Optional.empty();
  }

  /** All of them in words. */
  @JsonIgnore
  public String inWords() {
    long count = stores.size() + more;
    if (count == 1) {
      return first + ", which comes later";
    }
    return "%,d stores that come later, ".formatted(count)
        + (first.equals(last) ? "the first is " + first : "from " + first + " to " + last);
  }
}
