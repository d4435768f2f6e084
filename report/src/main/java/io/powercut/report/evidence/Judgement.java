// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.oracle.Verdict;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;

/**
 * One line of the log of verdicts: what recovery made of the image at one failure point.
 *
 * @param failurePointId where the power was cut
 * @param occurrence which occurrence of the failure point it was, from 1
 * @param order which order of threads that was: 0 for that of the recorded run, else the number of
 *     the one in which a writer was held
 * @param kind the verdict
 * @param seen the verdict in words
 * @param step the recovery step that decided; empty when none was run
 * @param output the end of that step's output; empty for a consistent image
 * @param recoveryStack the stack of recovery's crash or hang, innermost first
 * @param image where the image is kept, relative to the run directory
 * @param acknowledged what the target had acknowledged; only of a bug, if recovery can read it
 * @param imageHash content hash of the image, when it is known; equal images share a recovery
 * @param state how the image differs from that of program order; nothing when it does not
 * @param tooEarly of a bug in program order, a store in flight there without which recovery
 *     succeeds; nothing when none was found among the last ones
 * @param ordinal the ordinal of the trace record before which it was, from 0; nothing where the
 *     target was run again
 * @param seconds how long the recoveries took
 * @param timeline what happened before the power was cut; only of some bugs, and nothing where the
 *     target was run again
 * @param lostMetadata which changes of names and sizes the power cut undid; nothing if it undid
 *     none, and in older runs
 */
public record Judgement(
    FailurePointId failurePointId,
    @JsonAlias("visit") long occurrence,
    int order,
    Verdict.Kind kind,
    String seen,
    String step,
    String output,
    List<StackFrame> recoveryStack,
    Optional<String> image,
    Optional<AcknowledgedOutput> acknowledged,
    Optional<String> imageHash,
    Optional<JudgedState> state,
    Optional<EarlyStore> tooEarly,
    Optional<Long> ordinal,
    double seconds,
    Optional<Timeline> timeline,
    Optional<LostMetadata> lostMetadata) {
  /** Copies the list. Earlier versions wrote no {@code timeline} and no lost metadata. */
  @SuppressWarnings("NullAway") // as old files are read
  public Judgement {
    timeline = timeline == null ? Optional.empty() : timeline;
    lostMetadata = lostMetadata == null ? Optional.empty() : lostMetadata;
    recoveryStack = List.copyOf(recoveryStack);
  }

  /** Whether the verdict proves a bug. */
  @JsonIgnore
  public boolean isBug() {
    return kind.isFinding();
  }

  /** The same verdict for another failure point whose image is equal. */
  public Judgement sharedBy(Occurrence other) {
    return copy(other, imageHash, state, tooEarly, Optional.empty(), 0)
        .withTimeline(Optional.empty());
  }

  /** Where the power was cut. */
  public Occurrence cut() {
    return new Occurrence(failurePointId, occurrence, order);
  }

  /** The same with the image's content hash. */
  public Judgement withImageHash(String hash) {
    return copy(cut(), Optional.of(hash), state, tooEarly, ordinal, seconds);
  }

  /** The same of a state that is not that of program order. */
  public Judgement withState(JudgedState other) {
    return copy(cut(), imageHash, Optional.of(other), tooEarly, ordinal, seconds);
  }

  /** The same of an image in which changes of names and sizes are undone. */
  public Judgement withLostMetadata(LostMetadata lost) {
    return with(timeline, Optional.of(lost), acknowledged);
  }

  /** What distinguishes its image from that of program order; nothing if that is it. */
  @JsonIgnore
  public Optional<String> stateId() {
    return state.map(JudgedState::id).or(() -> lostMetadata.map(LostMetadata::id));
  }

  /** What the finding is called that a crash state beyond program order proves. */
  @JsonIgnore
  public Optional<String> stateFingerprint() {
    return state
        .map(JudgedState::fingerprint)
        .or(() -> lostMetadata.map(LostMetadata::fingerprint));
  }

  /** The same with its place in the trace. */
  public Judgement at(long other) {
    return copy(cut(), imageHash, state, tooEarly, Optional.of(other), seconds);
  }

  /** The same with a store that is there too early. */
  public Judgement withTooEarly(Optional<EarlyStore> store) {
    return copy(cut(), imageHash, state, store, ordinal, seconds);
  }

  /** The same with what was acknowledged too early. */
  public Judgement withTooEarly(AcknowledgedOutput.EarlyOutput output) {
    return with(timeline, lostMetadata, acknowledged.map(all -> all.with(output)));
  }

  /** The same with what happened before. */
  public Judgement withTimeline(Optional<Timeline> before) {
    return with(before, lostMetadata, acknowledged);
  }

  private Judgement with(
      Optional<Timeline> before, Optional<LostMetadata> lost, Optional<AcknowledgedOutput> said) {
    return new Judgement(
        failurePointId,
        occurrence,
        order,
        kind,
        seen,
        step,
        output,
        recoveryStack,
        image,
        said,
        imageHash,
        state,
        tooEarly,
        ordinal,
        seconds,
        before,
        lost);
  }

  private Judgement copy(
      Occurrence where,
      Optional<String> hash,
      Optional<JudgedState> of,
      Optional<EarlyStore> early,
      Optional<Long> position,
      double duration) {
    return new Judgement(
        where.id(),
        where.number(),
        where.order(),
        kind,
        seen,
        step,
        output,
        recoveryStack,
        image,
        acknowledged,
        hash,
        of,
        early,
        position,
        duration,
        timeline,
        lostMetadata);
  }

  /** A failure point that could not be judged before recovery was even asked. */
  public static Judgement inconclusive(FailurePointId failurePointId, String reason) {
    return new Judgement(
        failurePointId,
        1,
        0,
        Verdict.Kind.INCONCLUSIVE,
        reason,
        "",
        "",
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  /** What recovery was doing where {@link #recoveryStack} was taken. */
  public String recoveryEnd() {
    return kind == Verdict.Kind.HUNG ? "recovery hung" : "recovery crashed";
  }
}
