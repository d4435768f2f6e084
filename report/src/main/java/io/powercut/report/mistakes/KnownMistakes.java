// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import com.google.common.collect.Sets;
import io.powercut.report.evidence.JudgedState;
import java.util.IdentityHashMap;
import java.util.Set;

/** What is known so far of which crashes show the same mistake. */
final class KnownMistakes {
  private final Groups groups;
  private final ProgramOrder order;

  /** Of crash states: the crash that shows more of what is wrong. */
  private final IdentityHashMap<Crash, Crash> causes = new IdentityHashMap<>();

  /**
   * @param groups of fingerprints
   * @param order what program order shows
   */
  KnownMistakes(Groups groups, ProgramOrder order) {
    this.groups = groups;
    this.order = order;
  }

  /**
   * Both show one mistake. Two states do not that show what program order shows: that they lost
   * alike is no reason to take two findings of program order for one. A helper may have made what
   * they lost. Nor is it one to take what is all right once it is persisted for what program order
   * shows.
   */
  void join(Crash one, Crash other) {
    boolean areApart =
        isShown(one) ? isShown(other) || isFixed(other) : isShown(other) && isFixed(one);
    if (!areApart) {
      groups.join(name(one), name(other));
    }
  }

  private static boolean isFixed(Crash crash) {
    return crash.evidence().state().filter(JudgedState::adviceVerified).isPresent();
  }

  private boolean isShown(Crash crash) {
    return !crash.isOfProgramOrder()
        && (!order.groupsOf(crash).isEmpty() || order.shows(crash).isPresent());
  }

  /**
   * Another crash shows more of what is wrong with one. Of two that each show more than the other,
   * in one way or another, the first that is known to stays behind.
   */
  void explain(Crash crash, Crash cause) {
    Set<Crash> explaining = Sets.newIdentityHashSet();
    for (Crash more = cause; more != null; more = causes.get(more)) {
      explaining.add(more);
    }
    if (!explaining.contains(crash)) {
      causes.put(crash, cause);
    }
  }

  /** Whether another crash shows more of what is wrong with this one. */
  boolean isExplained(Crash crash) {
    return causes.containsKey(crash);
  }

  /** The name of the mistake that a crash shows. */
  String mistakeOf(Crash crash) {
    return groups.of(name(crash));
  }

  /**
   * What stands for a crash. States that lost a store of one place may belong to several findings
   * of program order, if that place is a helper: each then goes with those of its own call stack.
   * One that is all right as soon as the store is persisted shows a mistake of its own.
   */
  private String name(Crash crash) {
    Crash cause = causes.get(crash);
    if (cause != null) {
      return name(cause); // Nothing explains itself, so this ends.
    }
    if (isFixed(crash) && order.shows(crash).isEmpty()) {
      return crash.fingerprint();
    }
    Set<String> roots = order.groupsOf(crash);
    return roots.size() == 1
        ? roots.iterator().next()
        : order.showsAtPlaceOf(crash).orElse(crash.fingerprint());
  }
}
