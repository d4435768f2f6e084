// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.tree.FunctionName;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
  private static final String IN_TX = "pmemobj_tx_";

  /** Those for which libpmemobj has another one in transactions. */
  private static final Set<String> ATOMIC_CALLS =
      Stream.of(
              "alloc",
              "zalloc",
              "xalloc",
              "realloc",
              "zrealloc",
              "strdup",
              "wcsdup",
              "free",
              "publish")
          .map("pmemobj_"::concat)
          .collect(Collectors.toUnmodifiableSet());

  /** Copies the list, and refuses what is no store. */
  public ImageStore {
    if (offset < 0 || size < 1) {
      throw new IllegalArgumentException(
          "a store of " + size + " bytes at offset " + offset + " is none");
    }
    stack = List.copyOf(stack);
  }

  /** What it stored to, as where several stores are made in one line. */
  String place() {
    return String.format(
        Locale.ROOT, " (%d byte%s at 0x%x of %s)", size, size == 1 ? "" : "s", offset, file);
  }

  /** Whether both stored to one byte. */
  public boolean overlaps(ImageStore other) {
    return file.equals(other.file)
        && offset < other.offset + other.size
        && other.offset < offset + size;
  }

  /**
   * Whether the other is made by what ends a transaction, and this one is not: it may be what the
   * transaction's log lacks.
   */
  public boolean isBesideTransactionOf(ImageStore other) {
    return other.endsTransaction() && !endsTransaction();
  }

  /** Whether a function made it that ends a transaction, or what that calls. */
  private boolean endsTransaction() {
    return stack.stream().anyMatch(frame -> FunctionName.of(frame.function()).endsTransaction());
  }

  /** Whether libpmemobj made it at the end of a transaction of the program. */
  boolean endsPmdkTransaction() {
    return stack.stream()
        .map(StackFrame::function)
        .anyMatch(name -> name.startsWith(IN_TX) && FunctionName.of(name).endsTransaction());
  }

  /**
   * What has to come into a transaction instead of the call that made this store, in words: nothing
   * unless the call is one of libpmemobj's that are atomic by themselves. Its stores are not for
   * the log of a transaction of the program.
   */
  public Optional<String> callInTransaction() {
    return stack.stream()
        .map(StackFrame::function)
        .filter(ATOMIC_CALLS::contains)
        .reduce((inner, outer) -> outer)
        .map(
            call -> "call %s in it instead of %s".formatted(call.replace("pmemobj_", IN_TX), call));
  }

  /** Whether a library without sources made it for a caller that has them. */
  boolean isOfLibrary() {
    return UserCode.of(stack)
        .filter(frame -> frame.line() == 0)
        .filter(frame -> stack.stream().anyMatch(other -> other.line() > 0))
        .filter(frame -> !frame.module().equals(stack.get(stack.size() - 1).module()))
        .isPresent();
  }

  /** Whether both were made, or what makes them was called, in one function on the same way. */
  boolean isOfOneFunctionWith(ImageStore other) {
    return CallPath.isOfOneFunction(stack, other.stack);
  }
}
