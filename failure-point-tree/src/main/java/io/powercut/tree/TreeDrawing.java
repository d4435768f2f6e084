// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws a tree as text, like figure 2 of the Mumak paper: the binary is the root, below it come the
 * frames from the outermost to the leaf. Frames in a row without a branch stand below one another
 * without further indentation.
 *
 * <pre>
 * pm.elf: 3 failure points, 1 visited
 * ├─ main at pm.c:16  [x] clwb, 1 time, 0123456789abcdef
 * ├─ main at pm.c:19
 * │  persist at pm.c:2  [ ] clwb, 1 time, ...
 * └─ main at pm.c:20
 *    redundant_loop at pm.c:8
 *    persist at pm.c:2  [ ] clwb, 8 times, ...
 * </pre>
 */
public final class TreeDrawing {
  private static final int LEAST_ROOM = 20;
  private static final String CONTINUED = "    ";

  private final DrawingOptions options;
  private final Appendable target;

  private TreeDrawing(DrawingOptions options, Appendable target) {
    this.options = options;
    this.target = target;
  }

  /** The drawing as text. */
  public static String draw(FailurePointTree tree, DrawingOptions options) {
    StringBuilder text = new StringBuilder();
    try {
      draw(tree, options, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /**
   * Writes the drawing, line by line.
   *
   * @throws IOException what the target throws
   */
  public static void draw(FailurePointTree tree, DrawingOptions options, Appendable target)
      throws IOException {
    DrawnNode root = DrawnNode.root(tree, options.startUpFrames());
    target.append(tree.program()).append(": ").append(root.counts()).append('\n');
    new TreeDrawing(options, target).drawChildren(root, root.children(), "", 1);
  }

  private void drawChildren(DrawnNode node, List<DrawnNode> children, String indentation, int depth)
      throws IOException {
    if (depth > options.depth()) {
      if (!children.isEmpty()) {
        line(indentation + corner(), ellipsis() + node.counts());
      }
      return;
    }
    Multiset<List<SourcePosition>> words = HashMultiset.create();
    children.forEach(child -> words.add(child.frame.positions()));
    for (int index = 0; index < children.size(); index++) {
      DrawnNode child = children.get(index);
      boolean last = index == children.size() - 1;
      drawChain(
          child,
          words.count(child.frame.positions()) > 1,
          indentation + (last ? corner() : branch()),
          indentation + (last ? "   " : bar()),
          depth);
    }
  }

  /**
   * Draws a node and what follows it up to the next branch.
   *
   * @param ambiguous whether a sibling would be drawn with the same words
   */
  private void drawChain(
      DrawnNode first, boolean ambiguous, String firstIndentation, String indentation, int depth)
      throws IOException {
    List<String> lines = new ArrayList<>();
    DrawnNode node = first;
    List<DrawnNode> children = node.children();
    addLines(lines, node, ambiguous);
    int reached = depth;
    while (node.leaf() == null && children.size() == 1 && reached < options.depth()) {
      node = children.get(0);
      children = node.children();
      addLines(lines, node, false);
      reached++;
    }
    if (children.size() > 1) {
      lines.add(lines.remove(lines.size() - 1) + "  (" + node.counts() + ")");
    }
    drawLines(lines, firstIndentation, indentation);
    drawChildren(node, children, indentation, reached + 1);
  }

  private void addLines(List<String> lines, DrawnNode node, boolean ambiguous) {
    List<SourcePosition> positions = node.frame.positions();
    for (int index = positions.size() - 1; index > 0; index--) {
      lines.add(node.frame.describe(positions.get(index), options.fullPaths()));
    }
    StringBuilder innermost =
        new StringBuilder(node.frame.describe(node.frame.position(), options.fullPaths()));
    if (positions.size() > 1) {
      innermost.append(" (inlined)");
    }
    if (ambiguous && node.frame.position().hasLine()) {
      innermost.append(" (").append(node.frame.address()).append(')');
    }
    @Nullable FailurePoint leaf = node.leaf();
    if (leaf != null) {
      innermost.append(mark(leaf));
    }
    lines.add(innermost.toString());
  }

  private static String mark(FailurePoint leaf) {
    return (leaf.visited() ? "  [x] " : "  [ ] ")
        + leaf.instruction().label()
        + ", "
        + leaf.occurrences()
        + (leaf.occurrences() == 1 ? " time, " : " times, ")
        + leaf.id();
  }

  private void drawLines(List<String> lines, String firstIndentation, String indentation)
      throws IOException {
    int limit = options.chainLimit();
    int head = lines.size() <= limit ? lines.size() : limit / 2;
    int tail = lines.size() <= limit ? head : lines.size() - (limit - head);
    for (int index = 0; index < head; index++) {
      line(index == 0 ? firstIndentation : indentation, lines.get(index));
    }
    if (tail > head) {
      line(indentation, ellipsis() + (tail - head) + " frames");
    }
    for (String text : lines.subList(tail, lines.size())) {
      line(indentation, text);
    }
  }

  private void line(String indentation, String text) throws IOException {
    String before = indentation;
    String rest = text;
    while (before.length() + rest.length() > options.width()) {
      int room = options.width() - before.length();
      int space = rest.lastIndexOf(' ', room);
      if (room < LEAST_ROOM || space <= 0) {
        break; // It would only become longer.
      }
      target.append(before).append(rest.substring(0, space).stripTrailing()).append('\n');
      rest = rest.substring(space).stripLeading();
      before = below(indentation) + CONTINUED;
    }
    target.append(before).append(rest).append('\n');
  }

  /** What stands in front of a line below the first of a node. */
  private String below(String indentation) {
    if (indentation.endsWith(branch())) {
      return indentation.substring(0, indentation.length() - branch().length()) + bar();
    }
    return indentation.endsWith(corner())
        ? indentation.substring(0, indentation.length() - corner().length()) + "   "
        : indentation;
  }

  private String ellipsis() {
    return options.asciiOnly() ? "... " : "… ";
  }

  private String branch() {
    return options.asciiOnly() ? "|- " : "├─ ";
  }

  private String corner() {
    return options.asciiOnly() ? "`- " : "└─ ";
  }

  private String bar() {
    return options.asciiOnly() ? "|  " : "│  ";
  }
}
