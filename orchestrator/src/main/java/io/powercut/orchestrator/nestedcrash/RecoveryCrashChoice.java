// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.image.CrashImage;
import io.powercut.image.pages.ImageHash;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.persistency.states.CrashState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chooses the images on which recovery is going to be cut, out of those on which it succeeds: a
 * bounded number of different ones, first those where the target was cut in functions that it was
 * not cut in before, then those at other failure points. Safe for use by several threads.
 */
public final class RecoveryCrashChoice implements AutoCloseable {
  private static final String KIND = "TARGET";

  private final Optional<RecoveryCrashLog> log;
  private final int most;
  private final Set<ImageHash> known = new HashSet<>();
  private final Set<Fingerprint> functions = new HashSet<>();
  private final Set<FailurePointId> points = new HashSet<>();
  private final Map<Rank, List<Chosen>> chosen = new EnumMap<>(Rank.class);

  /** What an image promises, the most in front. */
  private enum Rank {
    NEW_FUNCTIONS,
    NEW_FAILURE_POINT,
    OTHER_VISIT
  }

  /**
   * @param log what was done before; none if recovery is not to be cut
   * @param most how many images are cut in the whole run
   */
  public RecoveryCrashChoice(Optional<RecoveryCrashLog> log, int most) {
    this.log = log;
    this.most = log.isPresent() ? most : 0;
  }

  /**
   * A chosen image.
   *
   * @param occurrence where it was taken
   * @param image its own
   * @param hash of it
   * @param acknowledged what the target had acknowledged
   */
  public record Chosen(
      Occurrence occurrence,
      CrashImage image,
      ImageHash hash,
      Optional<Acknowledgement> acknowledged)
      implements AutoCloseable {
    @Override
    public void close() {
      image.close();
    }
  }

  /** Whether an image on which recovery succeeds may be chosen, as far as an earlier part shows. */
  public boolean mayWant(Judgement judgement, Occurrence occurrence) {
    return left() > 0
        && settled()
            .noneMatch(
                one ->
                    one.at().equals(occurrence)
                        || judgement.imageHash().filter(one.image()::equals).isPresent());
  }

  private int left() {
    return most - (int) settled().count();
  }

  private Stream<RecoveryCrashVerdicts> settled() {
    return log.stream()
        .flatMap(lines -> lines.all().stream())
        .filter(RecoveryCrashVerdicts::isSettled);
  }

  /**
   * Considers an image on which recovery succeeds.
   *
   * @param moment with the image, which is copied if it is chosen
   * @param stack of the target there
   */
  public synchronized void offer(CrashPoint moment, ImageHash hash, CallStack stack)
      throws IOException {
    int left = left();
    if (left <= 0 || isSettled(moment.occurrence()) || !known.add(hash)) {
      return;
    }
    Rank rank = rank(moment.occurrence(), stack);
    if (size() >= left && !giveUpOneBehind(rank) && !giveUpOneOf(rank, hash)) {
      return;
    }
    CrashImage image = moment.image().with(CrashState.of(List.of()));
    chosen
        .computeIfAbsent(rank, unused -> new ArrayList<>())
        .add(new Chosen(moment.occurrence(), image, hash, moment.acknowledged()));
  }

  private int size() {
    return chosen.values().stream().mapToInt(List::size).sum();
  }

  private Rank rank(Occurrence occurrence, CallStack stack) {
    boolean isNewPoint = points.add(occurrence.id());
    if (functions.add(Fingerprint.of(stack, KIND))) {
      return Rank.NEW_FUNCTIONS;
    }
    return isNewPoint ? Rank.NEW_FAILURE_POINT : Rank.OTHER_VISIT;
  }

  private boolean giveUpOneBehind(Rank rank) {
    for (Rank other : List.of(Rank.OTHER_VISIT, Rank.NEW_FAILURE_POINT)) {
      List<Chosen> those = chosen.getOrDefault(other, List.of());
      if (other.compareTo(rank) > 0 && !those.isEmpty()) {
        those.remove(those.size() - 1).close();
        return true;
      }
    }
    return false;
  }

  /**
   * Of other occurrences, those stay whose hashes come first: that is a choice by chance out of the
   * whole run, and the same in whichever order they are offered.
   */
  private boolean giveUpOneOf(Rank rank, ImageHash hash) {
    List<Chosen> those = chosen.getOrDefault(rank, List.of());
    if (rank != Rank.OTHER_VISIT || those.isEmpty()) {
      return false;
    }
    Chosen last = Collections.max(those, Comparator.comparing(one -> one.hash().toString()));
    if (hash.toString().compareTo(last.hash().toString()) >= 0) {
      return false;
    }
    those.remove(last);
    last.close();
    return true;
  }

  private boolean isSettled(Occurrence occurrence) {
    return log.flatMap(lines -> lines.find(occurrence))
        .filter(RecoveryCrashVerdicts::isSettled)
        .isPresent();
  }

  /** Hands out what was chosen, the most promising in front; the caller closes it. */
  public synchronized List<Chosen> take() {
    List<Chosen> taken = chosen.values().stream().flatMap(List::stream).toList();
    chosen.clear();
    return taken;
  }

  /** Gives up what was chosen and not taken. */
  @Override
  public void close() {
    take().forEach(Chosen::close);
  }
}
