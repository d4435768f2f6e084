// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.powercut.trace.TraceEvent;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The functions that an address is in, where Valgrind 3.19 cannot read what was inlined there: in
 * code of clang with DWARF 5, of gcc with {@code -flto} or {@code -gsplit-dwarf}, and of Go.
 * Without them, a store of a function that several others call by inlining it would seem to be
 * theirs. What was read once is kept. Safe for use by several threads.
 */
final class InlinedFunctions {
  /** Of each, a process waits for questions. */
  private static final int MOST_MODULES = 16;

  /** Valgrind says that of functions of another unit of debug information. */
  private static final String UNKNOWN = "UnknownInlinedFun";

  /**
   * Clang refers to addresses by the first, and so does gcc where the rest is in other files. The
   * others are of Go, and of D as LLVM's compiler has it.
   */
  private static final Set<String> SECTIONS = Set.of(".debug_addr", ".go.buildinfo", "__minfo");

  /** Names the file that has what was stripped from this one. */
  private static final String LINK = ".gnu_debuglink";

  /** A file as it is now. */
  private record Module(Path path, long size, FileTime changed, String buildId) {}

  /**
   * Debug information that was opened.
   *
   * @param isUnreadable whether Valgrind cannot read what it says of inlined functions
   * @param isElsewhere whether it may be in another file, where Valgrind may not have been able to
   *     read any of it
   */
  private record Opened(InlinedReader reader, boolean isUnreadable, boolean isElsewhere) {
    static Opened of(Path file, String buildId) throws IOException {
      Set<String> sections = ElfSections.names(file);
      return new Opened(
          new InlinedReader(file, buildId),
          SECTIONS.stream().anyMatch(sections::contains),
          sections.contains(LINK));
    }

    boolean knowsMoreThan(List<SourcePosition> positions) {
      return isUnreadable
          || positions.stream().anyMatch(position -> position.function().equals(UNKNOWN))
          || positions.stream().anyMatch(InlinedFunctions::lacksItsLine)
          || (isElsewhere && positions.stream().allMatch(position -> position.file().isEmpty()));
    }
  }

  private static final Cache<Module, Opened> OPENED =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_MODULES)
          .<Module, Opened>removalListener(
              removed -> {
                @Nullable Opened opened = removed.getValue();
                if (opened != null) {
                  opened.reader().close();
                }
              })
          .build();

  private InlinedFunctions() {}

  /**
   * What an instruction is called in the source.
   *
   * @param module where it is; null for code outside any file
   * @return what Valgrind said, where that is all that is known
   */
  static List<SourcePosition> of(
      TraceEvent.@Nullable ModuleDefined module, TraceEvent.SiteDefined site) {
    if (module == null || module.isOfTheSystem()) {
      return site.positions();
    }
    return opened(module)
        .filter(opened -> opened.knowsMoreThan(site.positions()))
        .map(opened -> opened.reader().at(site.offset()))
        .filter(found -> !found.isEmpty())
        .map(found -> named(found, site.positions()))
        .orElse(site.positions());
  }

  /** As code does that a compiler merged from several lines. */
  private static boolean lacksItsLine(SourcePosition position) {
    return !position.file().isEmpty() && position.line() == 0;
  }

  private static Optional<Opened> opened(TraceEvent.ModuleDefined module) {
    try {
      Path path = Path.of(module.path());
      BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
      Module now = new Module(path, file.size(), file.lastModifiedTime(), module.buildId());
      return Optional.of(OPENED.get(now, () -> Opened.of(path, module.buildId())));
    } catch (IOException
        | InvalidPathException
        | ExecutionException
        | UncheckedExecutionException e) {
      return Optional.empty(); // The file is not there any more, as on another machine.
    }
  }

  /** The function that was not inlined has the name of its symbol, as everywhere else. */
  private static List<SourcePosition> named(
      List<SourcePosition> found, List<SourcePosition> known) {
    SourcePosition symbol = known.get(known.size() - 1);
    if (symbol.function().isEmpty() || symbol.function().equals(UNKNOWN)) {
      return found;
    }
    List<SourcePosition> named = new ArrayList<>(found);
    SourcePosition outermost = named.remove(named.size() - 1);
    named.add(new SourcePosition(symbol.function(), outermost.file(), outermost.line()));
    return named;
  }
}
