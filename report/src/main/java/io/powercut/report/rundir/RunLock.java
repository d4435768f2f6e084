// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.campaign.input.FileFailure;
import io.powercut.campaign.input.InputFile;
import io.powercut.exit.PowercutException;
import io.powercut.process.DataSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The right to add to a run directory, which one process has at a time. The kernel takes it back
 * when its holder ends, however it ends. The file {@code lock} says who holds it; it stays, and
 * means nothing, when nobody does.
 */
public final class RunLock implements AutoCloseable {
  private static final String FILE = "lock";
  private static final DataSize LARGEST_FILE = DataSize.ofKibibytes(64);
  private static final int LONGEST_COMMAND = 200;

  /**
   * What this process holds. Looking into a file that it has locked would give the lock up: the
   * kernel does so when any descriptor of the file is closed.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path run;
  private final FileChannel channel;

  private RunLock(Path run, FileChannel channel) {
    this.run = run;
    this.channel = channel;
  }

  /**
   * Takes the lock of a run directory.
   *
   * @throws PowercutException if another process has it, or this one has it already
   */
  public static RunLock take(Path run) {
    Path file = run.resolve(FILE);
    if (!HELD.add(run)) {
      throw inUse(run, "this process already");
    }
    boolean taken = false;
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        taken = lock(channel);
        if (!taken) {
          throw inUse(run, holder(file));
        }
        write(channel);
        return new RunLock(run, channel);
      } catch (IOException | RuntimeException e) {
        taken = false;
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(FileFailure.at(file, e));
    } finally {
      if (!taken) {
        HELD.remove(run);
      }
    }
  }

  private static boolean lock(FileChannel channel) {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    } catch (IOException cannotLock) {
      // Some network file systems know no locks. A run there is as it was without them.
      return true;
    }
  }

  private static void write(FileChannel channel) throws IOException {
    String command = System.getProperty("sun.java.command", "powercut").replaceAll("\\s+", " ");
    String text =
        "process %d (%s), since %s"
            .formatted(
                ProcessHandle.current().pid(),
                command.substring(0, Math.min(command.length(), LONGEST_COMMAND)),
                OffsetDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
    channel.truncate(0);
    ByteBuffer bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static String holder(Path file) {
    try {
      String text = InputFile.text(file, LARGEST_FILE).strip();
      return text.isEmpty() ? "another process" : text;
    } catch (IOException e) {
      return "another process";
    }
  }

  private static PowercutException inUse(Path run, String holder) {
    return PowercutException.notTrustworthy(
        "the run in %s is in use by %s. Wait until it ends, or end it, then use --resume."
            .formatted(run, holder));
  }

  /** Gives the lock back. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      HELD.remove(run);
    }
  }
}
