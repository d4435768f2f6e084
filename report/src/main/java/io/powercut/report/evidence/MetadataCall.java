// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A system call that changed a name or a size in the PM directory.
 *
 * @param kind what it did, such as {@code rename}
 * @param path of what it was about, in the PM directory; empty outside
 * @param other the name that a rename or a link made; empty outside and of other kinds
 * @param stack who called it, innermost first
 */
public record MetadataCall(String kind, String path, String other, List<StackFrame> stack) {
  private static final String RENAME = "rename";
  private static final String UNLINK = "unlink";
  private static final String CREATE = "create";
  private static final String RESIZE = "resize";
  private static final String LINK = "link";

  /** Copies the list. */
  public MetadataCall {
    stack = List.copyOf(stack);
  }

  boolean isUnlink() {
    return kind.equals(UNLINK);
  }

  boolean isResize() {
    return kind.equals(RESIZE);
  }

  /** The directories whose entries it changed, in words. */
  String directories() {
    List<String> changed =
        Stream.of(kind.equals(LINK) ? "" : path, other)
            .filter(name -> !name.isEmpty())
            .map(MetadataCall::directoryOf)
            .distinct()
            .toList();
    return changed.stream().allMatch(String::isEmpty)
        ? "that directory"
        : (changed.size() == 1 ? "the directory " : "the directories ")
            + changed.stream()
                .map(name -> name.isEmpty() ? "of the PM files" : name)
                .collect(Collectors.joining(" and "));
  }

  private static String directoryOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }

  /** Whether it is a rename that gives a name to another file. */
  boolean isRenameTo(String name) {
    return kind.equals(RENAME) && other.equals(name);
  }

  /** Whether it makes something of this name, which works only where nothing has it. */
  boolean isMakingOf(String name) {
    return (kind.equals(CREATE) && path.equals(name)) || (kind.equals(LINK) && other.equals(name));
  }

  /** What it did to which name, and where in the user's code. */
  @JsonIgnore
  public String inWords() {
    return named() + " at " + TargetStack.place(stack).orElse("an unknown place");
  }

  /** What it did to which name. */
  public String named() {
    String what = kind.equals(CREATE) ? "creation" : kind;
    String names = (path.isEmpty() ? "" : " of " + path) + (other.isEmpty() ? "" : " to " + other);
    return "the " + what + names;
  }
}
