// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class FailurePointTreeTest {
  @Test
  void shouldHoldEachUniqueStackOnceInTheOrderFirstReached() {
    FailurePointTree tree = SampleStacks.figure2();

    assertThat(tree.failurePoints())
        .containsExactly(
            new FailurePoint(SampleStacks.CLWB_IN_MAIN, Instruction.CLWB, 1, 10, false),
            new FailurePoint(SampleStacks.PERSIST_IN_MAIN, Instruction.CLWB, 1, 20, false),
            new FailurePoint(SampleStacks.PERSIST_IN_LOOP, Instruction.CLWB, 8, 30, false));
    assertThat(tree.size()).isEqualTo(3);
    assertThat(tree.occurrences()).isEqualTo(10);
  }

  @Test
  void shouldSayWhetherALeafIsNew() {
    FailurePointTree tree = SampleStacks.emptyTree();
    assertThat(tree.reach(SampleStacks.CLWB_IN_MAIN, Instruction.CLWB, 0)).isTrue();
    assertThat(tree.reach(SampleStacks.CLWB_IN_MAIN, Instruction.CLWB, 1)).isFalse();
  }

  @Test
  void shouldMarkALeafOnce() {
    FailurePointTree tree = SampleStacks.figure2();
    FailurePointId id = SampleStacks.PERSIST_IN_MAIN.id();

    assertThat(tree.visit(id)).isTrue();
    assertThat(tree.visit(id)).isFalse();

    assertThat(tree.visitedCount()).isEqualTo(1);
    assertThat(tree.find(id)).get().extracting(FailurePoint::visited).isEqualTo(true);
    assertThat(tree.unvisited())
        .extracting(FailurePoint::id)
        .containsExactly(SampleStacks.CLWB_IN_MAIN.id(), SampleStacks.PERSIST_IN_LOOP.id());

    tree.forgetVisit(id);
    assertThat(tree.visitedCount()).isZero();
    assertThat(tree.unvisited()).hasSize(3);
  }

  @Test
  void shouldCountNothingWhenTheVisitOfAnUnvisitedLeafIsForgotten() {
    FailurePointTree tree = SampleStacks.figure2();
    tree.visit(SampleStacks.CLWB_IN_MAIN.id());

    tree.forgetVisit(SampleStacks.PERSIST_IN_MAIN.id());

    assertThat(tree.visitedCount()).isEqualTo(1);
    assertThat(tree.unvisited()).hasSize(2);
  }

  @Test
  void shouldRefuseToMarkALeafThatIsNotThere() {
    assertThatExceptionOfType(NoSuchElementException.class)
        .isThrownBy(() -> SampleStacks.figure2().visit(new FailurePointId(5)))
        .withMessage("the tree of pm.elf has no failure point 0000000000000005");
  }

  @Test
  void mergeShouldAddWhatIsNewAndMarkWhatWasVisited() {
    FailurePointTree tree = SampleStacks.emptyTree();
    tree.reach(SampleStacks.CLWB_IN_MAIN, Instruction.CLWB, 10);
    FailurePointTree other = SampleStacks.figure2();
    other.reach(SampleStacks.CLWB_IN_MAIN, Instruction.CLWB, 99);
    other.visit(SampleStacks.CLWB_IN_MAIN.id());

    other.failurePoints().forEach(tree::merge);

    assertThat(tree.failurePoints())
        .containsExactly(
            new FailurePoint(SampleStacks.CLWB_IN_MAIN, Instruction.CLWB, 1, 10, true),
            new FailurePoint(SampleStacks.PERSIST_IN_MAIN, Instruction.CLWB, 1, 20, false),
            new FailurePoint(SampleStacks.PERSIST_IN_LOOP, Instruction.CLWB, 8, 30, false));
    assertThat(tree.visitedCount()).isEqualTo(1);
  }

  @Test
  void mergeShouldKeepTheMarkOfALeafThatTheOtherDidNotVisit() {
    FailurePointTree tree = SampleStacks.figure2();
    tree.visit(SampleStacks.CLWB_IN_MAIN.id());

    SampleStacks.figure2().failurePoints().forEach(tree::merge);

    assertThat(tree.visitedCount()).isEqualTo(1);
    assertThat(tree.size()).isEqualTo(3);
  }

  @Test
  void shouldNoticeTwoStacksWithTheSameId() {
    List<CallStack> colliding = SampleStacks.colliding();
    FailurePointTree tree = SampleStacks.emptyTree();
    tree.reach(colliding.get(0), Instruction.CLWB, 0);

    assertThatExceptionOfType(FailurePointCollisionException.class)
        .isThrownBy(() -> tree.reach(colliding.get(1), Instruction.CLWB, 1))
        .withMessageContaining(colliding.get(0).id().toString())
        .withMessageContaining("b+0x7")
        .withMessageContaining("Remedy");
  }

  @Test
  void shouldRefuseStacksThroughExcludedFunctions() {
    FailurePointTree tree =
        new FailurePointTree(
            "pm.elf", Granularity.PERSISTENCY, ExcludedFunctions.of(List.of("redundant_loop")));

    assertThat(tree.excluded().exclude(SampleStacks.PERSIST_IN_LOOP)).isTrue();
    assertThat(tree.excluded().exclude(SampleStacks.PERSIST_IN_MAIN)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tree.reach(SampleStacks.PERSIST_IN_LOOP, Instruction.CLWB, 0));
  }

  @Test
  void shouldExcludeThroughInlinedFunctions() {
    Frame inlined =
        new Frame(
            "pm.elf",
            1,
            List.of(new SourcePosition("f", "a.c", 1), new SourcePosition("main", "a.c", 9)));
    assertThat(ExcludedFunctions.of(List.of("f")).exclude(CallStack.of(inlined))).isTrue();
    assertThat(ExcludedFunctions.of(List.of("main")).exclude(CallStack.of(inlined))).isTrue();
  }

  @Test
  void shouldExcludeByPatternsWithOrWithoutParameters() {
    assertThat(excludes("pmemobj_*", "pmemobj_create")).isTrue();
    assertThat(excludes("pmem?bj_cr*te", "pmemobj_create")).isTrue();
    assertThat(excludes("*_create", "pmemobj_create")).isTrue();
    assertThat(excludes("*", "anything")).isTrue();
    assertThat(excludes("pmemobj_create", "pmemobj_createU")).isFalse();
    assertThat(excludes("pmemobj_?", "pmemobj_create")).isFalse();
    assertThat(excludes("ns::f", "ns::f(int, char)")).isTrue();
    assertThat(excludes("ns::f(int, char)", "ns::f(int, char)")).isTrue();
    assertThat(excludes("ns::f(int)", "ns::f(int, char)")).isFalse();
    assertThat(excludes("memcpy", "memcpy@@GLIBC_2.14")).isTrue();
    assertThat(excludes("f", "")).isFalse();
  }

  private static boolean excludes(String pattern, String function) {
    return ExcludedFunctions.of(List.of(pattern))
        .exclude(CallStack.of(Frame.of("a", 1, function, "", 0)));
  }
}
