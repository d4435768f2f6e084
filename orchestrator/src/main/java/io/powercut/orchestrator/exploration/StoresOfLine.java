// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.ranges.LineWords;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FunctionName;
import io.powercut.tree.UserCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The stores of one finding, as far as one execution of its source line makes several: a macro may
 * store to several cache lines. They are one finding, so its advice has to be for all of them.
 */
final class StoresOfLine {
  private static final int SHOWN = 5;

  /** By who called the line and in which instance of a template, and then by instruction. */
  private final Map<List<String>, Map<List<String>, ImageStore>> stores = new HashMap<>();

  /** Adds a store that was lost. */
  void add(ImageStore store) {
    UserCode.of(store.stack())
        .map(store.stack()::indexOf)
        .ifPresent(
            user ->
                stores
                    .computeIfAbsent(callers(store.stack(), user), unknown -> new HashMap<>())
                    .putIfAbsent(instruction(store.stack(), user), store));
  }

  private static List<String> instruction(List<StackFrame> stack, int user) {
    return stack.subList(0, user + 1).stream().map(StackFrame::address).toList();
  }

  /**
   * The function and its callers. Functions that the line is inlined into are at its own address. A
   * pointer leads one caller to several instances of a template.
   */
  private static List<String> callers(List<StackFrame> stack, int user) {
    String own = stack.get(user).address();
    return Stream.concat(
            Stream.of(FunctionName.symbol(stack.get(user).function())),
            stack.subList(user + 1, stack.size()).stream()
                .map(
                    frame ->
                        frame.text() + (frame.address().equals(own) ? "" : " " + frame.address())))
        .toList();
  }

  /**
   * In words, how many stores there are and where to: {@code each of the 2 stores}.
   *
   * @return nothing if one store is all, or all are to one cache line
   */
  Optional<String> inWords() {
    return stores.values().stream()
        .filter(one -> one.values().stream().map(StoresOfLine::cacheLine).distinct().count() > 1)
        .max((one, other) -> Integer.compare(one.size(), other.size()))
        .map(
            one ->
                "each of the "
                    + one.size()
                    + " stores that its source line makes, such as to "
                    + places(one.values().stream()));
  }

  private static String cacheLine(ImageStore store) {
    return store.file() + " " + store.offset() / LineWords.LINE;
  }

  private static String places(Stream<ImageStore> stores) {
    Map<String, TreeSet<Long>> byFile =
        stores.collect(
            Collectors.groupingBy(
                ImageStore::file,
                Collectors.mapping(ImageStore::offset, Collectors.toCollection(TreeSet::new))));
    return byFile.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            file ->
                file.getValue().stream()
                        .limit(SHOWN)
                        .map(offset -> "0x" + Long.toHexString(offset))
                        .collect(Collectors.joining(", "))
                    + " of "
                    + file.getKey())
        .limit(SHOWN)
        .collect(Collectors.joining(", "));
  }
}
