// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree while it is drawn: an address below one path of callers. Its children are made
 * on demand, so that never more than one path of the tree is in memory.
 */
final class DrawnNode {
  final Frame frame;
  private final int depth;
  private final List<Path> paths = new ArrayList<>();
  private @Nullable FailurePoint leaf;
  private int visited;

  /** The frames from the outermost in, and the failure point to which they lead. */
  private record Path(FailurePoint failurePoint, List<Frame> frames) {}

  private record Address(String module, long offset) {}

  private DrawnNode(Frame frame, int depth) {
    this.frame = frame;
    this.depth = depth;
  }

  /** The root, which stands for the binary. */
  static DrawnNode root(FailurePointTree tree, boolean startUpFrames) {
    DrawnNode root = new DrawnNode(Frame.unknown(tree.program(), 0), 0);
    for (FailurePoint failurePoint : tree.failurePoints()) {
      CallStack stack = failurePoint.stack();
      ImmutableList<Frame> frames =
          ImmutableList.copyOf(startUpFrames ? stack.frames() : stack.framesOfProgram());
      root.add(new Path(failurePoint, frames.reverse()));
    }
    return root;
  }

  private void add(Path path) {
    paths.add(path);
    visited += path.failurePoint.visited() ? 1 : 0;
    if (path.frames.size() == depth) {
      leaf = path.failurePoint;
    }
  }

  /** The nodes below this one, in the order in which they were first reached. */
  List<DrawnNode> children() {
    Map<Address, DrawnNode> children = new LinkedHashMap<>();
    for (Path path : paths) {
      if (path.frames.size() > depth) {
        Frame next = path.frames.get(depth);
        children
            .computeIfAbsent(
                new Address(next.module(), next.offset()),
                address -> new DrawnNode(next, depth + 1))
            .add(path);
      }
    }
    return ImmutableList.copyOf(children.values());
  }

  /** The failure point whose stack ends here. */
  @Nullable FailurePoint leaf() {
    return leaf;
  }

  /** {@code 3 failure points, 1 visited}. */
  String counts() {
    return paths.size()
        + (paths.size() == 1 ? " failure point, " : " failure points, ")
        + visited
        + " visited";
  }
}
