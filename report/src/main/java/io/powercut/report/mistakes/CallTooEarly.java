// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A call in whose middle recovery fails until who makes it has made a store: all that the image
 * lacks is the rest of the call, and that store. So the call comes too early, whatever recovery
 * does about a part of it.
 *
 * @param call where it is
 * @param store where the store is, in the same function
 */
record CallTooEarly(String call, CrashPlaces.Line store) {
  /** That of an image in program order, if all is known that it lacks. */
  static Optional<CallTooEarly> of(Crash crash) {
    List<ImageStore> lacks =
        crash.evidence().changes().lacks().map(ImageLacks::all).orElse(List.of());
    if (!crash.isOfProgramOrder() || lacks.isEmpty()) {
      return Optional.empty();
    }
    List<ImageStore> rest = lacks.subList(0, lacks.size() - 1);
    List<StackFrame> last = lacks.get(lacks.size() - 1).stack();
    return call(last, crash.evidence().stack())
        .filter(call -> rest.stream().allMatch(store -> isWithin(call, last, store.stack())))
        .flatMap(call -> CrashPlaces.Line.of(last).map(line -> new CallTooEarly(call, line)));
  }

  /** What was called, at a crash in the middle of such a call: a line may call one or another. */
  static String called(Crash crash) {
    List<StackFrame> stack = crash.evidence().stack();
    return crash.evidence().changes().lacks().map(ImageLacks::all).stream()
        .map(lacks -> OneCall.depth(lacks.get(lacks.size() - 1).stack(), stack))
        .flatMapToInt(OptionalInt::stream)
        .mapToObj(depth -> stack.get(depth - 1).function())
        .findFirst()
        .orElse("");
  }

  /** Whether recovery succeeds without a store of the call. */
  static boolean isProved(Crash crash) {
    List<StackFrame> early = crash.evidence().changes().stackOfEarly();
    return of(crash)
        .flatMap(
            here ->
                crash
                    .evidence()
                    .changes()
                    .lacks()
                    .map(ImageLacks::all)
                    .map(all -> all.get(all.size() - 1).stack())
                    .filter(last -> isWithin(here.call(), last, early)))
        .isPresent();
  }

  private static boolean isWithin(String call, List<StackFrame> last, List<StackFrame> stack) {
    return call(last, stack).filter(call::equals).isPresent();
  }

  /** Where the function that made a store made the call that led to something else. */
  private static Optional<String> call(List<StackFrame> store, List<StackFrame> other) {
    OptionalInt depth = OneCall.depth(store, other);
    int own = UserCode.of(other).map(other::indexOf).orElse(-1);
    return depth.isPresent() && own >= 0 && depth.getAsInt() > own
        ? Optional.of(other.get(depth.getAsInt()).text())
        : Optional.empty();
  }
}
