// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

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

  /** Copies the list. */
  public MetadataCall {
    stack = List.copyOf(stack);
  }

  boolean isUnlink() {
    return kind.equals(UNLINK);
  }

  /** Whether it is a rename that gives a name to another file. */
  boolean isRenameTo(String name) {
    return kind.equals(RENAME) && other.equals(name);
  }

  /** What it did to which name, and where in the user's code. */
  @JsonIgnore
  public String inWords() {
    String what = kind.equals(CREATE) ? "creation" : kind;
    String names = (path.isEmpty() ? "" : " of " + path) + (other.isEmpty() ? "" : " to " + other);
    return "the " + what + names + " at " + TargetStack.place(stack).orElse("an unknown place");
  }
}
