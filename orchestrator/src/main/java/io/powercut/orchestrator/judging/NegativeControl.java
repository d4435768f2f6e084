// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import com.google.common.collect.ImmutableMap;
import io.powercut.campaign.sections.OracleSection;
import io.powercut.exit.FileProblem;
import io.powercut.image.PmArea;
import io.powercut.image.files.DirectoryComparison;
import io.powercut.image.files.FileRange;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.target.Execution;
import io.powercut.report.facts.OracleControls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Shows recovery images that no power cut leaves: the state after a clean exit with parts of the
 * state before the run in it, with its beginning gone, or with its contents inverted. Each may
 * happen to be a good one; an oracle that accepts all of them may not look at what the files hold.
 */
public final class NegativeControl {
  private static final int PAGE = 4096;
  private static final String MODE = "unix:mode";
  private static final int PERMISSIONS = 07777;
  private static final int OWNER_READ_WRITE = 0600;

  /** Of each file. */
  private static final int MOST_INVERTED = 16 << 20;

  private static final Map<String, Damage> DAMAGES =
      ImmutableMap.of(
          "all stores of the run lost, file sizes kept",
          (file, old, size) -> new FileRange(file, 0, size).copyFrom(old),
          "the first page of each file zeroed",
          (file, old, size) -> new FileRange(file, 0, Math.min(PAGE, size)).clear(),
          "the first half of each file as before the run",
          (file, old, size) -> new FileRange(file, 0, half(size)).copyFrom(old),
          "the second half of each file as before the run",
          (file, old, size) -> new FileRange(file, half(size), size - half(size)).copyFrom(old),
          "all bytes that the run changed inverted",
          NegativeControl::invertChanges);

  private final OracleSection oracle;
  private final RecoveryRuns recovery;
  private final PmArea area;
  private final Progress progress;
  private final States states;

  /**
   * What recovery gets is made of these.
   *
   * @param before the PM directory after set-up
   * @param after the PM directory after a clean exit
   * @param acknowledged what the target had acknowledged then
   */
  public record States(Path before, Path after, Optional<Acknowledgement> acknowledged) {}

  /** Damages one file of the state after a clean exit. */
  @FunctionalInterface
  private interface Damage {
    /**
     * @param file to be damaged
     * @param before the same file before the run, which may be missing
     */
    void to(Path file, Path before, long size) throws IOException;
  }

  public NegativeControl(
      OracleSection oracle, RecoveryRuns recovery, PmArea area, Progress progress, States states) {
    this.oracle = oracle;
    this.recovery = recovery;
    this.area = area;
    this.progress = progress;
    this.states = states;
  }

  /**
   * Asks recovery about each.
   *
   * @param budget of the run, which this spends as well
   * @return nothing if the campaign wants no controls, or there was no time for all images: some of
   *     them say little
   */
  public Optional<OracleControls> run(Budget budget) {
    if (!oracle.controls() || !budget.isTimeLeft()) {
      return Optional.empty();
    }
    progress.phase("control: recovery on damaged images");
    List<OracleControls.Damaged> damaged = new ArrayList<>();
    for (Map.Entry<String, Damage> one : DAMAGES.entrySet()) {
      if (!budget.isTimeLeft()) {
        return Optional.empty();
      }
      ask(one.getKey(), one.getValue(), damaged);
    }
    return Optional.of(new OracleControls(damaged));
  }

  /** A recovery that accepts the opposite of what was stored does not look at it. */
  private static void invertChanges(Path file, Path old, long size) throws IOException {
    int length = (int) Math.min(size, MOST_INVERTED);
    byte[] bytes = beginning(file, length);
    byte[] before = Files.isRegularFile(old) ? beginning(old, length) : new byte[0];
    before = Arrays.copyOf(before, length); // zeros behind its end
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int page = 0; page < length; page += PAGE) {
        int end = Math.min(page + PAGE, length);
        // Most pages did not change, and may be holes.
        if (!Arrays.equals(bytes, page, end, before, page, end)) {
          invertChanges(bytes, before, page, end);
          write(channel, ByteBuffer.wrap(bytes, page, end - page), page);
        }
      }
    }
  }

  private static void invertChanges(byte[] bytes, byte[] before, int begin, int end) {
    for (int index = begin; index < end; index++) {
      if (bytes[index] != before[index]) {
        bytes[index] = (byte) ~bytes[index];
      }
    }
  }

  private static void write(FileChannel channel, ByteBuffer content, long position)
      throws IOException {
    long at = position;
    while (content.hasRemaining()) {
      at += channel.write(content, at);
    }
  }

  private static byte[] beginning(Path file, int length) throws IOException {
    try (InputStream stream = Files.newInputStream(file)) {
      return stream.readNBytes(length);
    }
  }

  private static long half(long size) {
    return size < 2 * PAGE ? size / 2 : size / 2 / PAGE * PAGE;
  }

  private void ask(String how, Damage damage, List<OracleControls.Damaged> damaged) {
    try (ExecutionDirectories places = Execution.copyOf(states.after(), area)) {
      for (Path file : files(places.pm())) {
        Path old = states.before().resolve(places.pm().relativize(file));
        damageWritable(damage, file, old);
      }
      if (isLegal(places.pm())) {
        return;
      }
      Verdict.Kind kind =
          recovery.glance(new CopiedImages(places.pm(), states.acknowledged(), area));
      if (kind != Verdict.Kind.INCONCLUSIVE) {
        damaged.add(new OracleControls.Damaged(how, kind));
      }
    } catch (IOException e) {
      progress.note(
          "a damaged image could not be made for the control: " + FileProblem.of(e).text());
    }
  }

  /** A file may be read-only, and is so again after it. */
  private static void damageWritable(Damage damage, Path file, Path old) throws IOException {
    int mode = (int) Files.getAttribute(file, MODE) & PERMISSIONS;
    Files.setAttribute(file, MODE, mode | OWNER_READ_WRITE);
    damage.to(file, old, Files.size(file));
    Files.setAttribute(file, MODE, mode);
  }

  /** Nothing was damaged; or all is as before, and recovery does not know what there should be. */
  private boolean isLegal(Path pm) throws IOException {
    return DirectoryComparison.haveSameContents(pm, states.after())
        || (states.acknowledged().isEmpty()
            && DirectoryComparison.haveSameContents(pm, states.before()));
  }

  /** One name of each. */
  private static List<Path> files(Path directory) throws IOException {
    Map<Object, Path> files = new LinkedHashMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.toList()) {
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          files.putIfAbsent(Files.getAttribute(path, "unix:ino"), path);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return List.copyOf(files.values());
  }
}
