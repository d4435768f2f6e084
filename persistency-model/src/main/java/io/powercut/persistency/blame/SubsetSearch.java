// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a set smaller as long as a test still holds: Zeller and Hildebrandt, "Simplifying and
 * isolating failure-inducing input" (IEEE TSE 28(2), 2002), section 3.2.
 */
final class SubsetSearch {
  private SubsetSearch() {}

  /**
   * A part of the elements for which the test holds and from which no single one can be taken away.
   *
   * @param elements for which the test holds
   * @param test may be asked about any part of them, in the same order, the empty one too
   */
  static <T> List<T> smallest(List<T> elements, Predicate<List<T>> test) {
    if (elements.isEmpty() || test.test(List.of())) {
      return List.of();
    }
    List<T> left = elements;
    int parts = 2;
    while (left.size() > 1) {
      List<T> smaller = smaller(left, Math.min(parts, left.size()), test);
      if (smaller.size() < left.size()) {
        parts = smaller.size() * 2 <= left.size() ? 2 : Math.max(parts - 1, 2);
        left = smaller;
      } else if (parts >= left.size()) {
        return left;
      } else {
        parts *= 2;
      }
    }
    return left;
  }

  /** One of the parts, or all but one of them; all when the test holds for none. */
  private static <T> List<T> smaller(List<T> all, int parts, Predicate<List<T>> test) {
    for (int part = 0; part < parts; part++) {
      List<T> one = all.subList(begin(all, part, parts), begin(all, part + 1, parts));
      if (test.test(one)) {
        return List.copyOf(one);
      }
    }
    for (int part = 0; parts > 2 && part < parts; part++) {
      List<T> rest = new ArrayList<>(all.subList(0, begin(all, part, parts)));
      rest.addAll(all.subList(begin(all, part + 1, parts), all.size()));
      if (test.test(rest)) {
        return rest;
      }
    }
    return all;
  }

  private static int begin(List<?> all, int part, int parts) {
    return (int) ((long) all.size() * part / parts);
  }
}
