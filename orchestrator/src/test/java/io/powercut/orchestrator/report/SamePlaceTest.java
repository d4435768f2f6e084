package io.powercut.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two stacks at one place, and near ones that are not. */
class SamePlaceTest {
  /** Each frame as {@code function file:line}, innermost first. */
  private static List<StackFrame> stack(String... frames) {
    return Stream.of(frames)
        .map(frame -> frame.split("[ :]", -1))
        .map(part -> new StackFrame(part[0], part[1], Integer.parseInt(part[2]), "app", "0x1"))
        .toList();
  }

  @Test
  void storeAndFlushOfOneFunctionShouldBeAtOnePlace() {
    assertThat(
            SamePlace.of(
                stack("update app.c:10", "run app.c:30", "main app.c:50"),
                stack("persist pm.h:5", "update app.c:12", "run app.c:30", "main app.c:50")))
        .isTrue();
  }

  @Test
  void helpersInOtherFilesOnBothSidesShouldNotCount() {
    assertThat(
            SamePlace.of(
                stack("memcpy libc.c:1", "update app.c:10", "main app.c:50"),
                stack("flush pmem.c:7", "persist pmem.c:5", "update app.c:12", "main app.c:50")))
        .isTrue();
  }

  @Test
  void functionOfTheSameFileThatIsCalledShouldBeAnotherPlace() {
    assertThat(
            SamePlace.of(
                stack("run app.c:30", "main app.c:50"),
                stack("persist pm.h:5", "update app.c:12", "run app.c:31", "main app.c:50")))
        .isFalse();
  }

  @Test
  void oneFunctionCalledByTwoShouldBeTwoPlaces() {
    assertThat(
            SamePlace.of(
                stack("update app.c:10", "insert app.c:20", "main app.c:50"),
                stack("update app.c:12", "remove app.c:25", "main app.c:50")))
        .isFalse();
  }

  @Test
  void stacksWithNothingInCommonShouldBeAtDifferentPlaces() {
    assertThat(SamePlace.of(stack("main app.c:1"), stack("worker app.c:9"))).isFalse();
    assertThat(SamePlace.of(List.of(), stack("main app.c:1"))).isFalse();
  }

  @Test
  void functionWithoutSourceShouldBeNoPlace() {
    List<StackFrame> unknown = List.of(new StackFrame("", "", 0, "libx.so", "0x10"));

    assertThat(SamePlace.of(unknown, unknown)).isFalse();
  }
}
