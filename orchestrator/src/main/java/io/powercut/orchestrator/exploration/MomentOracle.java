// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.image.CrashImage;
import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.EarlierImage;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.OracleSession;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.persistency.states.CrashState;
import io.powercut.report.evidence.Judgement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/** Has recovery judge the states of one moment. For one thread. */
final class MomentOracle {
  private final CrashPoint moment;
  private final RecordedImages places;
  private final VerdictCache images;
  private final OracleSession session;
  private final Optional<ExpectedDumps> expected;

  /**
   * @param places where images are made
   */
  MomentOracle(CrashPoint moment, RecordedImages places, Judging judging) {
    this.moment = moment;
    this.places = places;
    this.images = judging.images();
    this.session = new OracleSession(judging.judge(), judging.images(), moment.occurrence());
    this.expected = moment.expected(judging.judge(), places);
  }

  /** Counts what that took. */
  OracleSession session() {
    return session;
  }

  /** Whether it is known what recovery makes of a state. */
  boolean isKnown(CrashState state) {
    return images.probe(VerdictCache.Key.of(hash(state), moment)).isPresent();
  }

  /** What recovery makes of a state. */
  Verdict.Kind ask(CrashState state) {
    return ask(state, Optional.empty());
  }

  /**
   * What recovery makes of the program-order image before a store, where the target had
   * acknowledged less. Contents are not compared: those that are allowed here were not all there
   * yet, and those that were allowed then are not known.
   *
   * @param ordinal of the store's record
   */
  Verdict.Kind askBefore(long ordinal) {
    Optional<Acknowledgement> then = moment.acknowledged().map(now -> now.before(ordinal));
    try (CrashImage image = moment.image().with(moment.states().before(ordinal))) {
      return session.ask(VerdictCache.Key.of(image.hash(), then), places.of(image, then));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What recovery makes of a state with names and sizes as they were before a change of them, and
   * with what had been acknowledged then.
   *
   * @param state differs from program order in what was stored before the change
   */
  Verdict.Kind askBefore(EarlierImage change, CrashState state) {
    Optional<Acknowledgement> then =
        moment.acknowledged().map(now -> now.before(change.change().ordinal()));
    try (CrashImage image = change.image().with(state)) {
      VerdictCache.Key key = VerdictCache.Key.of(image.hash(), moment).acknowledging(then);
      return session.ask(key, places.of(image, then).expecting(expected));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What recovery makes of a state if the target had acknowledged less. Contents are not compared.
   *
   * @param then what it had acknowledged
   */
  Verdict.Kind ask(CrashState state, Acknowledgement then) {
    try (CrashImage image = moment.image().with(state)) {
      return session.ask(
          VerdictCache.Key.of(image.hash(), Optional.of(then)),
          places.of(image, Optional.of(then)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What recovery makes of a state.
   *
   * @param watch to be answered on the way, if recovery runs for it
   */
  Verdict.Kind ask(CrashState state, Optional<ReadsWatch> watch) {
    try (CrashImage image = moment.image().with(state)) {
      return session.ask(VerdictCache.Key.of(image.hash(), moment), copies(image).watching(watch));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RecordedImages.Copies copies(CrashImage image) {
    return places.of(image, moment.acknowledged()).expecting(expected);
  }

  /**
   * Runs recovery again on a state on which it failed, as the proof of a bug requires.
   *
   * @param kept directory for the image and what shows the bug
   * @return nothing if that proved none
   */
  Optional<Judgement> prove(CrashState state, Path kept) {
    try (CrashImage image = moment.image().with(state)) {
      return session.prove(copies(image), image.hash(), kept);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of the image of a state. */
  ImageHash hash(CrashState state) {
    try (CrashImage image = moment.image().with(state)) {
      return image.hash();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
