// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.metadata;

import com.google.common.hash.Hashing;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.EarlierImage;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.judging.OracleSession;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.persistency.states.CrashState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.evidence.MetadataCall;
import io.powercut.report.evidence.TargetStack;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * Finds the change of metadata that has to be persisted before something is acknowledged: the last
 * one whose loss, with all that came after it, recovery cannot handle. For one moment, whose
 * program-order image is consistent, and one thread.
 */
public final class LostMetadataSearch {
  private static final int CALLS_SHOWN = 5;
  private static final int ID_LENGTH = 16;

  private final CrashPoint moment;
  private final RecordedImages places;
  private final Knowledge knowledge;
  private final OracleSession session;
  private int failing;

  /**
   * What is known of a whole run.
   *
   * @param workplace where images of bugs go
   * @param tables name the changes
   */
  public record Knowledge(Workplace workplace, Judging judging, TraceTables tables) {}

  /**
   * @param places where images are made
   * @param session asks recovery
   */
  public LostMetadataSearch(
      CrashPoint moment, RecordedImages places, Knowledge knowledge, OracleSession session) {
    this.moment = moment;
    this.places = places;
    this.knowledge = knowledge;
    this.session = session;
  }

  /** How many images were found on which recovery fails. */
  public int failing() {
    return failing;
  }

  /**
   * Judges the image in which most is undone, and others if recovery fails on it.
   *
   * @return the proof of a mistake. It is proved wherever it shows: which moment comes first
   *     depends on the machine, and reports must not
   */
  public Optional<Judgement> find() {
    MetadataLosses losses = moment.losses();
    if (!fails(losses.images().get(0))) {
      return Optional.empty();
    }
    failing++;
    int last = lastFailing(losses);
    EarlierImage blamed = losses.images().get(last);
    // Lost stores are another mistake, which has its own states.
    boolean isOfNames = isConsistent(moment.states().before(blamed.change().ordinal()));
    return isOfNames
            && losses.isNextKnown(last)
            && isConsistentBehind(losses, last)
            && isConsistentThen(blamed)
        ? found(losses, last)
        : Optional.empty();
  }

  /** Recovery fails on the first of them, and succeeds if nothing is undone. */
  private int lastFailing(MetadataLosses losses) {
    int fails = 0;
    int succeeds = losses.images().size();
    while (succeeds - fails > 1) {
      int middle = (fails + succeeds) >>> 1;
      if (fails(losses.images().get(middle))) {
        failing++;
        fails = middle;
      } else {
        succeeds = middle;
      }
    }
    return fails;
  }

  /** With what the target had acknowledged when the power is cut. */
  private boolean fails(EarlierImage earlier) {
    return ask(earlier).isFinding();
  }

  private Verdict.Kind ask(EarlierImage earlier) {
    return session.ask(VerdictCache.Key.of(earlier.image().hash(), moment), copies(earlier));
  }

  /** Whether recovery succeeds if only later changes are undone: inconclusive is not enough. */
  private boolean isConsistentBehind(MetadataLosses losses, int index) {
    return index + 1 == losses.images().size()
        || ask(losses.images().get(index + 1)) == Verdict.Kind.CONSISTENT;
  }

  private RecordedImages.Copies copies(EarlierImage earlier) {
    return places
        .of(earlier.image(), moment.acknowledged())
        .expecting(moment.expected(knowledge.judging().judge(), places));
  }

  private boolean isConsistent(CrashState state) {
    if (state.isProgramOrder()) {
      return true;
    }
    try (var image = moment.image().with(state)) {
      return session.ask(
              VerdictCache.Key.of(image.hash(), moment),
              places
                  .of(image, moment.acknowledged())
                  .expecting(moment.expected(knowledge.judging().judge(), places)))
          == Verdict.Kind.CONSISTENT;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With what the target had acknowledged before the change: else that image is a bug itself. */
  private boolean isConsistentThen(EarlierImage earlier) {
    Optional<Acknowledgement> then =
        moment.acknowledged().map(now -> now.before(earlier.change().ordinal()));
    VerdictCache.Key key = VerdictCache.Key.of(earlier.image().hash(), then);
    return session.ask(key, places.of(earlier.image(), then)) == Verdict.Kind.CONSISTENT;
  }

  private Optional<Judgement> found(MetadataLosses losses, int index) {
    EarlierImage blamed = losses.images().get(index);
    List<MetadataCall> calls =
        losses.images().stream()
            .skip(index)
            .limit(CALLS_SHOWN)
            .map(image -> call(image.change()))
            .toList();
    String fingerprint = knowledge.judging().identity().ofLostMetadata(calls.get(0).stack());
    LostMetadata lost =
        LostMetadata.of(id(losses.undone(blamed)), fingerprint, calls, losses.undone(blamed));
    return session
        .prove(
            copies(blamed),
            blamed.image().hash(),
            knowledge.workplace().directory().imageDirectory(moment.occurrence(), lost.id()))
        .map(proof -> proof.withLostMetadata(lost));
  }

  private MetadataCall call(TraceEvent.MetadataChange change) {
    return new MetadataCall(
        change.kind().instruction().label(),
        change.path(),
        change.other(),
        TargetStack.of(knowledge.tables().stack(change.stack(), change.site())));
  }

  /** The same for the same number of changes at the same moment, also of another run. */
  private String id(long undone) {
    return Hashing.sha256()
        .newHasher()
        .putUnencodedChars(LostMetadata.POLICY)
        .putLong(moment.occurrence().number())
        .putLong(undone)
        .hash()
        .toString()
        .substring(0, ID_LENGTH);
  }
}
