package io.powercut.orchestrator.report;

import java.util.List;

/**
 * One store to a PM file.
 *
 * @param file path in the PM directory
 * @param offset of its first byte in the file
 * @param size in bytes, at least 1
 * @param bytes the first of them, in hexadecimal
 * @param stack who stored, innermost first; only the innermost frame when stacks were not recorded
 */
public record ImageStore(String file, long offset, int size, String bytes, List<StackFrame> stack) {
  /** Copies the list. */
  public ImageStore {
    stack = List.copyOf(stack);
  }
}
