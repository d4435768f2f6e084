// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.image.CrashImage;
import io.powercut.oracle.Verdict;
import io.powercut.tree.FailurePointId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The failure points that a recovery step has passed, in its order. As for the target, what fails
 * in a row is one mistake, and begins at the first of them. For one thread.
 */
final class PassedCuts {
  private final Oracle oracle;
  private final List<Passed> passed = new ArrayList<>();
  private boolean isFailing;

  /** A failure point, with what a cut leaves there. */
  record Passed(CutRecovery.Point point, CutRecovery.Left left) {}

  /** Says what recovery makes of images. */
  interface Oracle {
    /** Runs recovery if that is not known. */
    Verdict.Kind ask(CrashImage image);

    /** What is known; nothing if recovery was not asked. */
    Optional<Verdict.Kind> known(CrashImage image);
  }

  PassedCuts(Oracle oracle) {
    this.oracle = oracle;
  }

  /**
   * Adds the next failure point. The images of another step are closed by now.
   *
   * @return whether recovery failed at the one before
   */
  boolean pass(CutRecovery.Point point, CutRecovery.Left left) {
    if (!passed.isEmpty() && !passed.get(0).point().step().equals(point.step())) {
      passed.clear();
      isFailing = false;
    }
    boolean isInARow = isFailing;
    isFailing = false;
    passed.add(new Passed(point, left));
    return isInARow;
  }

  /**
   * Recovery fails at the last failure point.
   *
   * @return where that begins
   */
  Passed failed(Verdict.Kind kind) {
    isFailing = kind != Verdict.Kind.HUNG; // To ask about the next one might take as long again.
    return first(passed.size() - 1, kind);
  }

  private Passed first(int index, Verdict.Kind kind) {
    int begin = index;
    while (begin > 0 && fails(passed.get(begin - 1).left().image(), kind)) {
      begin--;
    }
    return passed.get(begin);
  }

  private boolean fails(CrashImage image, Verdict.Kind kind) {
    return kind == Verdict.Kind.HUNG
        ? oracle.known(image).filter(kind::equals).isPresent()
        : oracle.ask(image) == kind;
  }

  /**
   * Where a failure begins that program order shows at the last occurrence of a failure point that
   * shows any; nothing if none does.
   */
  Optional<Passed> shown(FailurePointId id) {
    for (int index = passed.size() - 1; index >= 0; index--) {
      if (passed.get(index).point().stack().id().equals(id)) {
        Verdict.Kind kind = oracle.ask(passed.get(index).left().image());
        if (kind.isFinding()) {
          return Optional.of(first(index, kind));
        }
      }
    }
    return Optional.empty();
  }
}
