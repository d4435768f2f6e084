// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.Timeline;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A store that is there too early, and behind which another crash comes, too: in the call that made
 * it, or while the thread that made it has stored nothing else. Recovery has failed ever since, as
 * far as that was judged.
 *
 * @param place of the store, as {@code placeOf} gives it
 * @param placeOf gives the place of a store by its call stack
 */
record StoreUnderWay(
    List<CrashPlaces.Line> place, Function<List<StackFrame>, List<CrashPlaces.Line>> placeOf) {
  /** Whether a crash comes while it is. */
  boolean isAt(Crash crash) {
    long begin = crash.window().map(Window::begin).orElse(-1L);
    List<Timeline.Event> stores =
        crash.evidence().timeline().map(Timeline::steps).stream()
            .flatMap(List::stream)
            .filter(step -> step.kind() == Timeline.Action.STORE)
            .toList();
    return stores.stream()
        .filter(store -> store.ordinal() > begin && placeOf.apply(store.stack()).equals(place))
        .anyMatch(
            store ->
                OneCall.made(store.stack(), crash.evidence().stack())
                    || laterOf(store, stores).findAny().isEmpty());
  }

  private static Stream<Timeline.Event> laterOf(Timeline.Event store, List<Timeline.Event> stores) {
    return stores.stream()
        .filter(later -> later.thread() == store.thread() && later.ordinal() > store.ordinal());
  }
}
