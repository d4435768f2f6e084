// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.SampleRuns;
import io.powercut.report.findings.ReportedRun;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TreeDataTest {
  private static final Path DIRECTORY = Path.of("/runs/sample");

  private static Frame frame(String function) {
    return Frame.of("program", function.hashCode(), function, "", 0);
  }

  private static ReportedRun run(List<CallStack> stacks) {
    FailurePointTree tree =
        new FailurePointTree("program", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    stacks.forEach(stack -> tree.reach(stack, Instruction.CLWB, 0));
    return new ReportedRun(SampleRuns.nothing(DIRECTORY).report(), tree, Map.of(), DIRECTORY);
  }

  /** Each node as its parent and the functions of its frames. */
  private static List<String> drawn(TreeData tree) {
    return tree.nodes().stream()
        .map(node -> node.get(0) + ":" + functions(tree, (List<?>) node.get(1)))
        .toList();
  }

  private static String functions(TreeData tree, List<?> names) {
    return names.stream()
        .map(name -> tree.names().get((Integer) name).replaceFirst(" .*", ""))
        .collect(Collectors.joining("/"));
  }

  @Test
  void framesWithoutABranchShouldBeOneNodeAndParentsComeFirst() {
    TreeData tree =
        TreeData.of(
            run(
                List.of(
                    CallStack.of(frame("flush"), frame("put"), frame("run"), frame("main")),
                    CallStack.of(frame("fence"), frame("put"), frame("run"), frame("main")),
                    CallStack.of(frame("close"), frame("main")))),
            Map.of());
    assertThat(drawn(tree))
        .containsExactly("-1:program", "0:main", "1:run/put", "2:flush", "2:fence", "1:close");
  }

  @Test
  void aFailurePointThatIsAlsoACallerShouldBeBoth() {
    TreeData tree =
        TreeData.of(
            run(
                List.of(
                    CallStack.of(frame("msync"), frame("main")),
                    CallStack.of(frame("inner"), frame("msync"), frame("main")))),
            Map.of());
    assertThat(drawn(tree))
        .containsExactly("-1:program", "0:main/msync", "0:main/msync", "2:inner");
    assertThat(tree.nodes().get(1)).hasSizeGreaterThan(tree.nodes().get(2).size());
  }

  @Test
  void stacksMayBeDeeperThanRecursionCanGo() {
    List<Frame> frames = new ArrayList<>();
    for (int depth = 0; depth < 100_000; depth++) {
      frames.add(frame("f" + depth % 10));
    }
    TreeData tree = TreeData.of(run(List.of(CallStack.of(frames))), Map.of());
    assertThat(tree.nodes()).hasSize(2);
    assertThat((List<?>) tree.nodes().get(1).get(1)).hasSize(100_000);
  }

  @Test
  void failurePointsShouldTellTheirVerdictAndTheirFinding() {
    ReportedRun sample = SampleRuns.withFindings(DIRECTORY);
    String bug = "0123456789abcdef";
    String failurePoint = sample.tree().failurePoints().get(0).id().toString();
    TreeData tree = TreeData.of(sample, Map.of(FailurePointId.parse(failurePoint), bug));
    List<List<Object>> leaves = tree.nodes().stream().filter(node -> node.size() > 2).toList();
    assertThat(leaves).hasSize(3);
    assertThat(leaves)
        .extracting(leaf -> tree.words().get((Integer) leaf.get(5)))
        .containsExactlyInAnyOrder("CRASHED", "UNRECOVERABLE", "CONSISTENT");
    assertThat(leaves.stream().filter(leaf -> leaf.size() > 7))
        .singleElement()
        .satisfies(leaf -> assertThat(leaf.get(7)).isEqualTo(bug));
  }

  @Test
  void failurePointsWithoutAVerdictShouldSaySo() {
    TreeData tree = TreeData.of(run(List.of(CallStack.of(frame("main")))), Map.of());
    assertThat(tree.words()).contains("NOT_JUDGED", "not judged");
  }
}
