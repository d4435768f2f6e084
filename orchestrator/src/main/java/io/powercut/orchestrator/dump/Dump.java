// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dump;

import static java.util.Objects.requireNonNull;

import io.powercut.exit.FileProblem;
import io.powercut.process.CommandResult;
import io.powercut.process.DataSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a campaign's {@code dump} printed of one image.
 *
 * @param of which image, to stand after "the contents", such as "after set-up"
 * @param text each byte as one character, whatever the encoding; nothing if there is no dump
 * @param problem why there is none, without a full stop; else empty
 */
public record Dump(String of, Optional<String> text, String problem) {
  /** Requires that all is there. */
  public Dump {
    requireNonNull(of, "of is null");
    requireNonNull(text, "text is null");
    requireNonNull(problem, "problem is null");
  }

  /** One that could not be made. */
  public static Dump missing(String of, String problem) {
    return new Dump(of, Optional.empty(), problem);
  }

  /** What a command printed; missing if not all of it was kept. */
  static Dump of(String what, CommandResult result) {
    try {
      Dump dump = of(what, result.outputFile().orElseThrow());
      return dump.text().map(String::length).orElse(0) < result.outputBytes()
          ? missing(
              what,
              "it printed "
                  + DataSize.ofBytes(result.outputBytes())
                  + ", more than was kept (raise limits.output)")
          : dump;
    } catch (IOException e) {
      return missing(what, "its output could not be read again: " + FileProblem.of(e).text());
    }
  }

  /**
   * One that lies in a file.
   *
   * @throws IOException if the file cannot be read
   */
  static Dump of(String what, Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return new Dump(what, Optional.of(new String(bytes, StandardCharsets.ISO_8859_1)), "");
  }

  /** Whether both are there and hold the same. */
  public boolean isLike(Dump other) {
    return text.isPresent() && text.equals(other.text);
  }

  /**
   * Writes it, if it is there.
   *
   * @throws IOException if that cannot be done
   */
  void writeTo(Path file) throws IOException {
    if (text.isPresent()) {
      Files.write(file, text.get().getBytes(StandardCharsets.ISO_8859_1));
    }
  }
}
