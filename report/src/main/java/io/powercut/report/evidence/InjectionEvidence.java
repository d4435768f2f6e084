// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.oracle.Verdict;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The power was cut, and recovery failed on what was left.
 *
 * @param verdict the kind of the verdict
 * @param failurePointId where
 * @param occurrence at which occurrence of the failure point, from 1
 * @param order which order of threads that was: 0 for that of the recorded run, else the number of
 *     the one in which a writer was held
 * @param count how many crashes that are alike it stands for, this one included
 * @param instruction before which instruction, for example {@code clwb}
 * @param stack the target's call stack there, innermost first
 * @param seen what recovery made of the image, in words
 * @param step the recovery step that decided
 * @param output the end of that step's output
 * @param recoveryStack the stack of recovery's crash or hang, innermost first; empty when it is not
 *     known
 * @param acknowledged what the target had acknowledged, if recovery can read it
 * @param image where the crash image is kept, relative to the run directory
 * @param state how the image differs from that of program order; nothing when it does not
 * @param recoveryCrash where recovery was cut as well, so that the image is what that left; nothing
 *     when it was not
 * @param changes what this image has that the image of the failure point before it had not
 * @param replay the command that shows it again
 * @param timeline what happened before the power was cut, as far as it is known
 * @param lostMetadata which changes of names and sizes the power cut undid; nothing if it undid
 *     none
 */
public record InjectionEvidence(
    Verdict.Kind verdict,
    FailurePointId failurePointId,
    @JsonAlias("visit") long occurrence,
    int order,
    long count,
    String instruction,
    List<StackFrame> stack,
    String seen,
    String step,
    String output,
    List<StackFrame> recoveryStack,
    Optional<AcknowledgedOutput> acknowledged,
    Optional<String> image,
    Optional<JudgedState> state,
    @JsonAlias("second") Optional<RecoveryCrash> recoveryCrash,
    ImageChanges changes,
    String replay,
    Optional<Timeline> timeline,
    Optional<LostMetadata> lostMetadata)
    implements Evidence {
  private static final String SYSTEM = "/usr/";

  /** Copies the lists. Earlier versions wrote no {@code timeline} and no lost metadata. */
  @SuppressWarnings("NullAway") // as old files are read
  public InjectionEvidence {
    timeline = timeline == null ? Optional.empty() : timeline;
    lostMetadata = lostMetadata == null ? Optional.empty() : lostMetadata;
    stack = List.copyOf(stack);
    recoveryStack = List.copyOf(recoveryStack);
  }

  /** The same standing for that many crashes. */
  public InjectionEvidence standingFor(long crashes) {
    return copy(crashes, state);
  }

  /** The same of a state that is explained otherwise. */
  public InjectionEvidence withState(JudgedState other) {
    return copy(count, Optional.of(other));
  }

  private InjectionEvidence copy(long crashes, Optional<JudgedState> of) {
    return new InjectionEvidence(
        verdict,
        failurePointId,
        occurrence,
        order,
        crashes,
        instruction,
        stack,
        seen,
        step,
        output,
        recoveryStack,
        acknowledged,
        image,
        of,
        recoveryCrash,
        changes,
        replay,
        timeline,
        lostMetadata);
  }

  /** What is wrong, in one line. */
  @JsonIgnore
  public String title() {
    if (lostMetadata.isPresent()) {
      return lostMetadata.get().remedy();
    }
    if (state.isPresent()) {
      return state.get().remedy() + early();
    }
    return recoveryCrash.isPresent() ? "after a crash during recovery, " + seen : seen + reason();
  }

  /** What takes effect before that what the state lost is persisted. */
  private String early() {
    return changes
        .call()
        .filter(call -> changes.isOnlyCall())
        .map(
            call ->
                "; %s takes effect before, and recovery succeeds without both"
                    .formatted(call.inWords()))
        .orElse("");
  }

  /** What was acknowledged too early, as far as that is proved. */
  @JsonIgnore
  public Optional<AcknowledgedOutput.EarlyOutput> tooEarlyOutput() {
    return acknowledged
        .flatMap(AcknowledgedOutput::tooEarly)
        .filter(AcknowledgedOutput.EarlyOutput::proved);
  }

  /** What the image has and has not, as far as that is known. */
  private String reason() {
    return tooEarlyOutput().map(this::reason).orElseGet(this::reasonInImage);
  }

  private String reason(AcknowledgedOutput.EarlyOutput early) {
    return changes
        .lacks()
        .map(
            later ->
                "; the image lacks %s, but %s: acknowledge it after %s persisted"
                    .formatted(
                        later.inWords(),
                        early.inWords("before"),
                        later.isOne() ? "that is" : "these are"))
        .orElseGet(
            () ->
                "; %s: acknowledge it after all that it relies on is persisted"
                    .formatted(early.inWords("too early")));
  }

  private String reasonInImage() {
    ImageChanges told = changes.withPlacesIfAlike();
    String has = told.early().orElse("");
    String lacks = told.lacks().map(later -> "lacks " + later.inWords()).orElse("");
    if (lacks.isEmpty()) {
      return has.isEmpty() ? "" : "; recovery succeeds without " + has;
    }
    String advice = changes.advice().or(this::adviceOnLock).map(": "::concat).orElse("");
    return "; the image " + (has.isEmpty() ? "" : "has " + has + " and ") + lacks + advice;
  }

  private Optional<String> adviceOnLock() {
    return hangsInHeldLock()
        ? Optional.of(
            "reset what recovery waits for, as a lock that is still held, when the files are opened")
        : Optional.empty();
  }

  /**
   * Whether recovery hangs in the function that made the store which is too early, and that a later
   * one takes back: the power cut left a lock held.
   */
  @JsonIgnore
  public boolean hangsInHeldLock() {
    return verdict == Verdict.Kind.HUNG
        && !changes.thatTakeItBack().isEmpty()
        && changes.stackOfEarly().stream()
            .filter(frame -> !frame.file().isEmpty() && !frame.file().startsWith(SYSTEM))
            .findFirst()
            .filter(frame -> hangsIn(frame.function()))
            .isPresent();
  }

  /** What is inlined there, such as a load of C++, has a frame of its own. */
  private boolean hangsIn(String function) {
    return !function.isEmpty()
        && recoveryStack.stream().limit(2).anyMatch(frame -> frame.function().equals(function));
  }

  /**
   * Whether recovery hangs on another image in the same lock, whose release is not late there but
   * lost.
   *
   * @param lost the one store that the other image lost
   */
  @JsonIgnore
  public boolean isOfLockHeldAt(InjectionEvidence other, ImageStore lost) {
    return hangsInHeldLock()
        && other.verdict == verdict
        && other.recoveryStack.stream()
            .findFirst()
            .filter(frame -> hangsIn(frame.function()))
            .isPresent()
        && changes.thatTakeItBack().stream().anyMatch(release -> release.overlaps(lost));
  }

  /** Whether the target had ended, and what it never persisted was lost. */
  @JsonIgnore
  public boolean isAtEnd() {
    return failurePointId.equals(Occurrence.END.id());
  }

  /** Whether the image is that of program order. */
  @JsonIgnore
  public boolean isOfProgramOrder() {
    return state.isEmpty() && lostMetadata.isEmpty() && recoveryCrash.isEmpty();
  }

  /**
   * Where to look first: at the first store, or change of a name or size, whose loss recovery
   * cannot handle, or where recovery was cut, else at the failure point. Innermost first.
   */
  public List<StackFrame> place() {
    return state
        .map(one -> one.lost().get(0).store().stack())
        .or(() -> lostMetadata.map(lost -> lost.first().stack()))
        .or(() -> recoveryCrash.map(RecoveryCrash::stack))
        .orElse(stack);
  }

  /** What recovery was doing where {@link #recoveryStack} was taken. */
  public String recoveryEnd() {
    return verdict == Verdict.Kind.HUNG ? "recovery hung" : "recovery crashed";
  }

  @Override
  public <R> R match(
      Function<InjectionEvidence, R> injection,
      Function<TraceEvidence, R> trace,
      Function<PersistencyRace, R> race,
      Function<DataRace, R> dataRace) {
    return injection.apply(this);
  }
}
