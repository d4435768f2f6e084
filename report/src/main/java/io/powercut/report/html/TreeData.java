// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Text;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The failure-point tree for the script of the page, which draws what is unfolded. Names are
 * numbers into lists, and the nodes are in a list too, since stacks may be too deep for recursion.
 *
 * @param names functions with their places
 * @param words instructions, verdicts in words
 * @param nodes for each node its parent's number (-1 for the first, the program) and the names of
 *     its frames from the outermost in; a failure point has five values more: its id, its
 *     instruction, how often it was reached, its verdict's kind (its name) and its verdict in
 *     words; and, when it is part of a finding, the fingerprint. Parents come before children
 */
@JsonPropertyOrder({"names", "words", "nodes"})
record TreeData(List<String> names, List<String> words, List<List<Object>> nodes) {
  private static final String NOT_JUDGED = "NOT_JUDGED";
  private static final int NAME_LENGTH = 300;

  TreeData {
    names = List.copyOf(names);
    words = List.copyOf(words);
    nodes = List.copyOf(nodes);
  }

  private static final class Node {
    final Map<Frame, Node> children = new LinkedHashMap<>();
    @Nullable FailurePoint failurePoint;
  }

  /** A node that is to be listed: what is below a parent, after some frames. */
  private record Pending(int parent, Frame frame, Node node) {}

  private static final class Numbers {
    final Map<String, Integer> byText = new LinkedHashMap<>();

    int of(String text) {
      return byText.computeIfAbsent(text, unknown -> byText.size());
    }

    List<String> texts() {
      return List.copyOf(byText.keySet());
    }
  }

  /**
   * The tree of a run.
   *
   * @param findings by failure point, the fingerprint of the finding that can be linked to
   */
  static TreeData of(ReportedRun run, Map<FailurePointId, String> findings) {
    Node root = new Node();
    for (FailurePoint failurePoint : run.tree().failurePoints()) {
      insert(root, failurePoint);
    }
    Numbers names = new Numbers();
    Numbers words = new Numbers();
    List<List<Object>> nodes = new ArrayList<>();
    Deque<Pending> pending = new ArrayDeque<>();
    nodes.add(List.of(-1, List.of(names.of(Text.clean(run.tree().program())))));
    pushChildren(pending, root, 0);
    while (!pending.isEmpty()) {
      Pending next = pending.pop();
      List<Integer> frames = new ArrayList<>();
      frames.add(names.of(name(next.frame())));
      Node node = next.node();
      while (node.failurePoint == null && node.children.size() == 1) {
        Map.Entry<Frame, Node> only = node.children.entrySet().iterator().next();
        frames.add(names.of(name(only.getKey())));
        node = only.getValue();
      }
      if (node.failurePoint != null) {
        nodes.add(leaf(next.parent(), frames, node.failurePoint, run, findings, words));
      }
      if (!node.children.isEmpty()) {
        nodes.add(List.of(next.parent(), frames));
        pushChildren(pending, node, nodes.size() - 1);
      }
    }
    return new TreeData(names.texts(), words.texts(), nodes);
  }

  private static void insert(Node root, FailurePoint failurePoint) {
    Node node = root;
    List<Frame> frames = failurePoint.stack().framesOfProgram();
    for (int index = frames.size() - 1; index >= 0; index--) {
      node = node.children.computeIfAbsent(frames.get(index), unknown -> new Node());
    }
    node.failurePoint = failurePoint;
  }

  private static void pushChildren(Deque<Pending> pending, Node node, int number) {
    List<Map.Entry<Frame, Node>> children = new ArrayList<>(node.children.entrySet());
    for (int index = children.size() - 1; index >= 0; index--) {
      pending.push(
          new Pending(number, children.get(index).getKey(), children.get(index).getValue()));
    }
  }

  private static String name(Frame frame) {
    List<String> lines = new ArrayList<>();
    List<SourcePosition> positions = frame.positions();
    for (int index = positions.size() - 1; index >= 0; index--) {
      lines.add(
          Text.beginning(frame.describe(positions.get(index), false), NAME_LENGTH)
              + (index < positions.size() - 1 ? " (inlined)" : ""));
    }
    return Text.clean(String.join("\n", lines));
  }

  private static List<Object> leaf(
      int parent,
      List<Integer> frames,
      FailurePoint failurePoint,
      ReportedRun run,
      Map<FailurePointId, String> findings,
      Numbers words) {
    Optional<Judgement> judgement = run.verdict(failurePoint.id());
    List<Object> leaf = new ArrayList<>();
    leaf.add(parent);
    leaf.add(frames);
    leaf.add(failurePoint.id().toString());
    leaf.add(words.of(failurePoint.instruction().label()));
    leaf.add(failurePoint.occurrences());
    leaf.add(words.of(judgement.map(Judgement::kind).map(Verdict.Kind::name).orElse(NOT_JUDGED)));
    leaf.add(
        words.of(
            Text.clean(
                Text.beginning(judgement.map(Judgement::seen).orElse("not judged"), NAME_LENGTH))));
    judgement
        .filter(Judgement::isBug)
        .flatMap(bug -> Optional.ofNullable(findings.get(bug.failurePointId())))
        .ifPresent(leaf::add);
    return leaf;
  }
}
