// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import java.util.List;

/**
 * One function in a call stack, and where in it the code is.
 *
 * @param frame its address
 * @param position the function, and what its source calls that place
 */
public record CodePlace(Frame frame, SourcePosition position) implements UserCode.Function {
  /** All functions at an address, innermost first; all but the last are inlined. */
  static List<CodePlace> of(Frame frame) {
    return frame.positions().stream().map(position -> new CodePlace(frame, position)).toList();
  }

  @Override
  public String function() {
    return position.function();
  }

  @Override
  public String file() {
    return position.file();
  }

  @Override
  public int line() {
    return position.line();
  }

  @Override
  public String module() {
    return frame.module();
  }

  @Override
  public String address() {
    return frame.address();
  }

  /**
   * What is equal for two places that are one to the reader of the source: the line, or the address
   * where there is no line.
   */
  public String identity() {
    return position.hasLine() ? position.file() + ":" + position.line() : address();
  }
}
