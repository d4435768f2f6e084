// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

/**
 * How a tree is drawn.
 *
 * @param depth how many frames below the root are drawn, at least 1; what lies deeper is counted
 * @param chainLimit how many lines in a row without a branch are drawn, at least 2; the middle of a
 *     longer chain is left out and counted
 * @param fullPaths whether source files are drawn with their folders
 * @param startUpFrames whether the frames that only start the program or a thread are drawn
 * @param asciiOnly whether the lines are drawn with ASCII characters
 * @param width columns that a line may have, where it can be broken at a space
 */
public record DrawingOptions(
    int depth,
    int chainLimit,
    boolean fullPaths,
    boolean startUpFrames,
    boolean asciiOnly,
    int width) {
  /** Everything but the start-up frames, file names without folders. */
  public static final DrawingOptions DEFAULT =
      new DrawingOptions(
          Integer.MAX_VALUE, Integer.MAX_VALUE, false, false, false, Integer.MAX_VALUE);

  public DrawingOptions {
    if (depth < 1) {
      throw new IllegalArgumentException("depth is " + depth + ", want at least 1");
    }
    if (chainLimit < 2) {
      throw new IllegalArgumentException("chainLimit is " + chainLimit + ", want at least 2");
    }
  }

  /** These options with another depth. */
  public DrawingOptions withDepth(int newDepth) {
    return new DrawingOptions(newDepth, chainLimit, fullPaths, startUpFrames, asciiOnly, width);
  }

  /** These options with another limit of unbranched lines. */
  public DrawingOptions withChainLimit(int newChainLimit) {
    return new DrawingOptions(depth, newChainLimit, fullPaths, startUpFrames, asciiOnly, width);
  }

  /** These options with or without the folders of source files. */
  public DrawingOptions withFullPaths(boolean newFullPaths) {
    return new DrawingOptions(depth, chainLimit, newFullPaths, startUpFrames, asciiOnly, width);
  }

  /** These options with or without start-up frames. */
  public DrawingOptions withStartUpFrames(boolean newStartUpFrames) {
    return new DrawingOptions(depth, chainLimit, fullPaths, newStartUpFrames, asciiOnly, width);
  }

  /** These options with or without other characters than ASCII. */
  public DrawingOptions withAsciiOnly(boolean newAsciiOnly) {
    return new DrawingOptions(depth, chainLimit, fullPaths, startUpFrames, newAsciiOnly, width);
  }

  /** These options for a terminal. */
  public DrawingOptions withWidth(int newWidth) {
    return new DrawingOptions(depth, chainLimit, fullPaths, startUpFrames, asciiOnly, newWidth);
  }
}
