// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import java.util.HashMap;
import java.util.Map;

/** Names that belong together, as a forest of disjoint sets. */
final class Groups {
  private final Map<String, String> parents = new HashMap<>();

  /** Puts two names, with all that belong to them, into one group. */
  void join(String one, String other) {
    parents.put(of(one), of(other));
  }

  /** The name that stands for the group of this one. */
  String of(String name) {
    String root = name;
    String parent = parents.getOrDefault(root, root);
    while (!parent.equals(root)) {
      root = parent;
      parent = parents.getOrDefault(root, root);
    }
    if (!root.equals(name)) {
      parents.put(name, root);
    }
    return root;
  }
}
