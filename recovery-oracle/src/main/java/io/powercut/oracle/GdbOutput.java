// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.tree.source.SourcePaths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the frames from what gdb printed between the crash catcher's two marks. */
final class GdbOutput {
  private static final Pattern BACKTRACE =
      Pattern.compile("(?s)^BACKTRACE\n(.*?)^END$", Pattern.MULTILINE);
  private static final Pattern HANDLER = Pattern.compile("#\\d+\\s+(<signal handler called>)");

  // #0  0x000055d0 in function (arguments) at file.c:12      or "from library" or nothing after the
  // arguments
  private static final Pattern FRAME =
      Pattern.compile(
          "#\\d+\\s+(?:0x(?<address>[0-9a-f]+) in )?(?<function>.+?) \\(.*\\)(?: at (?<file>.+):(?<line>\\d+)| from .+)?");

  private GdbOutput() {}

  /** The frames, innermost first; none if gdb printed no stack. */
  static List<CrashFrame> frames(String text, MemoryMaps maps) {
    Matcher backtrace = BACKTRACE.matcher(text);
    List<CrashFrame> frames = new ArrayList<>();
    if (backtrace.find()) {
      backtrace.group(1).lines().forEach(line -> frame(line, maps).ifPresent(frames::add));
    }
    return frames;
  }

  private static Optional<CrashFrame> frame(String line, MemoryMaps maps) {
    Matcher frame = FRAME.matcher(line);
    if (frame.matches()) {
      return Optional.of(frame(frame, maps));
    }
    Matcher handler = HANDLER.matcher(line);
    return handler.matches()
        ? Optional.of(
            new CrashFrame(
                handler.group(1),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalLong.empty()))
        : Optional.empty();
  }

  private static CrashFrame frame(Matcher frame, MemoryMaps maps) {
    Optional<MemoryMaps.Place> place =
        Optional.ofNullable(frame.group("address"))
            .flatMap(address -> maps.place(Long.parseUnsignedLong(address, 16)));
    String line = frame.group("line");
    return new CrashFrame(
        frame.group("function"),
        Optional.ofNullable(frame.group("file")).map(SourcePaths::normal),
        line == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(line)),
        place.map(MemoryMaps.Place::module),
        place.isPresent() ? OptionalLong.of(place.get().offset()) : OptionalLong.empty());
  }
}
