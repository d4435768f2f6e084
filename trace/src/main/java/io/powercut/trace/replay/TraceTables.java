// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import com.google.common.collect.ImmutableList;
import io.powercut.trace.DefinitionEvent;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FileEvent;
import io.powercut.trace.ThreadEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.UndefinedNumberException;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Frame;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * What the numbers in a trace mean: modules, sites, stacks, files and threads defined so far.
 *
 * <p>Give it to the reader before the consumers that ask it. Other threads may ask about frames,
 * stacks and files while the reader continues, if they learned of the numbers after their
 * definition, and about modules at any time.
 */
public final class TraceTables
    implements TraceConsumer,
        EventGroups<RuntimeException>,
        DefinitionEvent.Visitor<RuntimeException>,
        FileEvent.Visitor<RuntimeException>,
        ThreadEvent.Visitor<RuntimeException> {
  /** A PM file as it is known now. */
  public record TracedFile(int file, String path, boolean deleted) {}

  private record Stack(CallStack callStack, FailurePointId id, boolean excluded) {}

  private final Map<Integer, TraceEvent.ModuleDefined> modules = new ConcurrentSkipListMap<>();
  private final Numbered<Frame> frames = new Numbered<>("site");
  private final Numbered<Stack> stacks = new Numbered<>("stack");
  private final Map<Integer, TracedFile> files = new ConcurrentSkipListMap<>();
  private final Map<Integer, String> firstNames = new ConcurrentHashMap<>();
  private final Map<Integer, TraceEvent.ThreadStarted> threads = new LinkedHashMap<>();

  @Override
  public void event(TraceEvent event) {
    event.dispatch(this);
  }

  @Override
  public void definition(DefinitionEvent event) {
    event.accept(this);
  }

  @Override
  public void file(FileEvent event) {
    event.accept(this);
  }

  @Override
  public void thread(ThreadEvent event) {
    event.accept(this);
  }

  @Override
  public void visit(TraceEvent.ModuleDefined module) {
    modules.put(module.module(), module);
  }

  @Override
  public void visit(TraceEvent.SiteDefined site) {
    TraceEvent.@Nullable ModuleDefined module = modules.get(site.module());
    if (module == null && site.module() != 0) {
      throw new UndefinedNumberException("module", site.module());
    }
    String name = module == null ? "" : module.name();
    frames.put(site.site(), new Frame(name, site.offset(), InlinedFunctions.of(module, site)));
  }

  @Override
  public void visit(TraceEvent.StackDefined stack) {
    ImmutableList.Builder<Frame> stackFrames = ImmutableList.builder();
    for (int site : stack.sites()) {
      stackFrames.add(frame(site));
    }
    CallStack callStack = CallStack.of(stackFrames.build());
    stacks.put(stack.stack(), new Stack(callStack, stack.id(), stack.excluded()));
  }

  @Override
  public void visit(TraceEvent.FileDefined file) {
    files.put(file.file(), new TracedFile(file.file(), file.path(), !file.state().hasName()));
    firstNames.putIfAbsent(file.file(), file.path());
  }

  @Override
  public void visit(TraceEvent.FileRenamed file) {
    files.put(file.file(), new TracedFile(file.file(), file.path(), file.outside()));
  }

  @Override
  public void visit(TraceEvent.FileDeleted file) {
    if (!file.hasOtherNames()) {
      // A symbolic link has no number.
      files.computeIfPresent(
          file.file(), (number, known) -> new TracedFile(number, file.path(), true));
    }
  }

  @Override
  public void visit(TraceEvent.FileLinked file) {}

  @Override
  public void visit(TraceEvent.FileResized file) {}

  @Override
  public void visit(TraceEvent.FileZeroed file) {}

  @Override
  public void visit(TraceEvent.ThreadStarted thread) {
    threads.put(thread.started(), thread);
  }

  /** A thread stays known when it has ended. */
  @Override
  public void visit(TraceEvent.ThreadExited thread) {}

  @Override
  public void visit(TraceEvent.ThreadJoined thread) {}

  @Override
  public void visit(TraceEvent.ProcessJoined process) {}

  /** Things by their numbers. One thread puts, any may get. */
  private static final class Numbered<T> {
    private final String what;
    private volatile @Nullable Object[] values = new Object[64];

    Numbered(String what) {
      this.what = what;
    }

    void put(int number, T value) {
      @Nullable Object[] all = values;
      if (number >= all.length) {
        all = Arrays.copyOf(all, Math.max(number + 1, 2 * all.length));
      }
      all[number] = value;
      values = all; // Publishes the value.
    }

    private @Nullable Object find(int number) {
      @Nullable Object[] all = values;
      return number >= 0 && number < all.length ? all[number] : null;
    }

    boolean has(int number) {
      return find(number) != null;
    }

    @SuppressWarnings("unchecked") // Only put() stores, and it takes a T.
    T get(int number) {
      Object value = find(number);
      if (value == null) {
        throw new UndefinedNumberException(what, number);
      }
      return (T) value;
    }
  }

  /**
   * The code at a site.
   *
   * @throws NoSuchElementException when the trace has not defined it
   */
  public Frame frame(int site) {
    return frames.get(site);
  }

  /**
   * A call stack.
   *
   * @throws NoSuchElementException when the trace has not defined it
   */
  public CallStack stack(int stack) {
    return stacks.get(stack).callStack();
  }

  /**
   * The call stack of a record, or its instruction where stacks were not collected.
   *
   * @param stack 0 where they were not
   * @throws NoSuchElementException when the trace has not defined it
   */
  public CallStack stack(int stack, int site) {
    return stack == 0 ? CallStack.of(frame(site)) : stack(stack);
  }

  /** Whether the trace has defined a call stack so far. */
  public boolean hasStack(int stack) {
    return stacks.has(stack);
  }

  /**
   * The identity that the recorder computed for a stack; {@link CallStack#id} is ours.
   *
   * @throws NoSuchElementException when the trace has not defined it
   */
  public FailurePointId recordedId(int stack) {
    return stacks.get(stack).id();
  }

  /**
   * Whether the recorder found an excluded function in a stack.
   *
   * @throws NoSuchElementException when the trace has not defined it
   */
  public boolean isExcluded(int stack) {
    return stacks.get(stack).excluded();
  }

  /**
   * A PM file.
   *
   * @throws NoSuchElementException when the trace has not defined it
   */
  public TracedFile file(int file) {
    TracedFile result = files.get(file);
    if (result == null) {
      throw new UndefinedNumberException("file", file);
    }
    return result;
  }

  /** The path of a PM file when it was used first; empty when the trace has not defined it. */
  public String firstName(int file) {
    return firstNames.getOrDefault(file, "");
  }

  /** All PM files so far, deleted ones too. */
  public Collection<TracedFile> files() {
    return ImmutableList.copyOf(files.values());
  }

  /** All modules so far: binaries and libraries. */
  public Collection<TraceEvent.ModuleDefined> modules() {
    return ImmutableList.copyOf(modules.values());
  }

  /** All threads so far, those that ended too. */
  public Collection<TraceEvent.ThreadStarted> threads() {
    return ImmutableList.copyOf(threads.values());
  }
}
