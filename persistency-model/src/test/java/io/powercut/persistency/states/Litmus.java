// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.SyncKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A litmus test: {@code src/test/resources/litmus/README.md} describes the format. */
final class Litmus {
  private static final int FILE_BYTES = 256;
  private static final Pattern STORE =
      Pattern.compile("(lock )?([a-z ]+?) =(nt|dsync|rep)? ([0-9 ]+)");

  private record Variable(int offset, int size) {}

  private final String name;
  private final Map<String, Variable> variables = new LinkedHashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private final ByteBuffer initial = ByteBuffer.allocate(FILE_BYTES);
  private final Set<String> allowed = new TreeSet<>();
  private List<String> columns = List.of();
  private PersistencyDomain domain = PersistencyDomain.ADR;
  private boolean isOver;

  private Litmus(String name) {
    this.name = name;
  }

  /** All tests of a file. */
  static List<Litmus> read(Path file) throws IOException {
    List<Litmus> tests = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String text = line.replaceFirst("#.*", "").strip();
      if (text.startsWith("test ")) {
        tests.add(new Litmus(text.substring(5)));
      } else if (!text.isEmpty()) {
        tests.get(tests.size() - 1).line(text);
      }
    }
    return tests;
  }

  private void line(String text) {
    List<String> words = List.of(text.split(" +"));
    List<String> rest = words.subList(1, words.size());
    if (!columns.isEmpty()) {
      if (words.size() != columns.size() || !allowed.add(String.join(" ", words))) {
        throw new IllegalArgumentException(name + ": " + text);
      }
      return;
    }
    switch (words.get(0)) {
      case "domain" -> domain = PersistencyDomain.valueOf(rest.get(0).toUpperCase(Locale.ROOT));
      case "vars" -> rest.forEach(this::declare);
      case "init" -> rest.forEach(this::initialise);
      case "allowed" -> columns = rest;
      case "crash" -> isOver = true;
      default -> {
        if (!isOver) {
          step(text);
        }
      }
    }
  }

  private void declare(String word) {
    String[] parts = word.split("[@:]");
    int size = parts.length > 2 ? Integer.parseInt(parts[2]) : Long.BYTES;
    variables.put(parts[0], new Variable(Integer.parseInt(parts[1]), size));
  }

  private void initialise(String word) {
    String[] parts = word.split("=");
    Variable variable = variable(parts[0]);
    initial.put(variable.offset(), value(variable, parts[1]), 0, variable.size());
  }

  private Variable variable(String word) {
    Variable variable = variables.get(word);
    if (variable == null) {
      throw new IllegalArgumentException(name + ": no variable \"" + word + "\"");
    }
    return variable;
  }

  private static ByteBuffer value(Variable variable, String value) {
    return ByteBuffer.allocate(variable.size()).put(0, Byte.parseByte(value));
  }

  private void step(String line) {
    boolean hasThread = line.matches("T[0-9]: .*");
    int thread = hasThread ? line.charAt(1) - '0' : 1;
    String text = hasThread ? line.substring(4) : line;
    Matcher store = STORE.matcher(text);
    if (store.matches()) {
      if (store.group(1) != null) {
        steps.add(new Step.Fence(thread, FenceKind.LOCKED));
      }
      steps.add(store(thread, store));
      return;
    }
    String[] words = text.split(" +");
    Variable all = new Variable(0, 0);
    switch (words[0]) {
      case "clwb", "clflush", "clflushopt" ->
          steps.add(
              new Step.Flush(
                  thread,
                  FlushKind.valueOf(words[0].toUpperCase(Locale.ROOT)),
                  variable(words[1]).offset()));
      case "sfence", "mfence" ->
          steps.add(new Step.Fence(thread, FenceKind.valueOf(words[0].toUpperCase(Locale.ROOT))));
      case "msync", "msync-async", "fsync", "fdatasync", "sync", "sync_file_range", "directory" -> {
        Variable range = variables.getOrDefault(words.length > 1 ? words[1] : "", all);
        SyncKind kind = SyncKind.valueOf(words[0].toUpperCase(Locale.ROOT).replace('-', '_'));
        sync(new Step.Sync(thread, kind, range.offset(), range.size()), words[words.length - 1]);
      }
      case "zero" ->
          steps.add(new Step.Zero(variable(words[1]).offset(), variable(words[1]).size()));
      case "truncate" -> steps.add(new Step.Resize(Integer.parseInt(words[1])));
      default -> throw new IllegalArgumentException(name + ": " + line);
    }
  }

  private void sync(Step.Sync sync, String how) {
    switch (how) {
      case "begins" -> steps.add(new Step.SyncBegins(sync));
      case "ends" -> steps.add(new Step.SyncEnds(sync.thread(), true));
      case "fails" -> {
        steps.add(new Step.SyncBegins(sync));
        steps.add(new Step.SyncEnds(sync.thread(), false));
      }
      default -> steps.add(sync);
    }
  }

  private Step store(int thread, Matcher store) {
    String[] names = store.group(2).split(" ");
    String[] values = store.group(4).split(" ");
    int offset = variable(names[0]).offset();
    ByteBuffer bytes = ByteBuffer.allocate(FILE_BYTES);
    int length = 0;
    for (int index = 0; index < names.length; index++) {
      Variable variable = variable(names[index]);
      if (variable.offset() != offset + length || names.length != values.length) {
        throw new IllegalArgumentException(name + ": no neighbours: " + store.group());
      }
      bytes.put(length, value(variable, values[index]), 0, variable.size());
      length += variable.size();
    }
    Step.Way way = way(store.group(3));
    int records = way == Step.Way.STRING ? names.length : 1;
    return new Step.Store(thread, offset, bytes.slice(0, length), way, records);
  }

  private static Step.Way way(@Nullable String word) {
    if (word == null) {
      return Step.Way.CACHED;
    }
    return switch (word) {
      case "nt" -> Step.Way.NON_TEMPORAL;
      case "dsync" -> Step.Way.SYNCHRONOUS;
      default -> Step.Way.STRING;
    };
  }

  SmallProgram program() {
    return new SmallProgram(domain, initial, steps);
  }

  /** The states that are listed, a line each. */
  Set<String> allowed() {
    return allowed;
  }

  /** A state as it would be listed. Values that are torn show all their bytes. */
  String describe(ByteBuffer memory) {
    return String.join(
        " ", columns.stream().map(column -> value(variable(column), memory)).toList());
  }

  private static String value(Variable variable, ByteBuffer memory) {
    byte[] bytes = new byte[variable.size()];
    memory.get(variable.offset(), bytes);
    byte first = bytes[0];
    bytes[0] = 0;
    return Arrays.equals(bytes, new byte[bytes.length])
        ? Byte.toString(first)
        : first + Arrays.toString(bytes);
  }

  @Override
  public String toString() {
    return name;
  }
}
