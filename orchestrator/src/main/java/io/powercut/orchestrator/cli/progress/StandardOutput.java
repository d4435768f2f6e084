// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.exit.ExitCode;
import io.powercut.exit.FileProblem;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Standard output, which remembers why it could not be written, as on a full disk: {@link
 * PrintStream} keeps that to itself, and what a program reads from it would lack something.
 */
public final class StandardOutput {
  private static final Path LINK = Path.of("/proc/self/fd/1");

  private final Watched watched;
  private final boolean hasReader;

  /**
   * @param stream takes what is printed
   * @param hasReader whether it goes to a program, which may have seen enough
   */
  StandardOutput(OutputStream stream, boolean hasReader) {
    this.watched = new Watched(stream);
    this.hasReader = hasReader;
  }

  /** Takes the place of {@link System#out}. */
  public static StandardOutput install() {
    StandardOutput output =
        new StandardOutput(new FileOutputStream(FileDescriptor.out), isPipe(LINK));
    System.setOut(output.stream());
    return output;
  }

  private static boolean isPipe(Path link) {
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException e) {
      return false;
    }
  }

  /** What to print to. */
  PrintStream stream() {
    return new PrintStream(new BufferedOutputStream(watched), true, Charset.defaultCharset());
  }

  /** What to say if something is missing; nothing if a reader closed it, which it may. */
  public Optional<String> problem() {
    return Optional.ofNullable(watched.failure)
        .filter(failure -> !hasReader)
        .map(
            failure ->
                "standard output could not be written, and is not complete: "
                    + FileProblem.of(failure).text());
  }

  /** How a command ends that would have ended with a code. */
  public int exitCode(int code) {
    boolean isWrongUse = code == ExitCode.WRONG_USAGE.code();
    return problem().isEmpty() || isWrongUse ? code : ExitCode.NOT_TRUSTWORTHY.code();
  }

  private static final class Watched extends FilterOutputStream {
    private @Nullable IOException failure;

    Watched(OutputStream stream) {
      super(stream);
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException e) {
        failure = failure == null ? e : failure;
        throw e;
      }
    }
  }
}
