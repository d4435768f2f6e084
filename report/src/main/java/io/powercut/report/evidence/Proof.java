// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.report.format.Text;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One crash that proved a finding, in short.
 *
 * @param fingerprint what this crash alone would be called; a finding has that of its first
 * @param verdict the verdict's kind; empty where a crash state was only recognised as one that was
 *     proved elsewhere
 * @param failurePointId where the power was cut
 * @param occurrence at which occurrence of the failure point, from 1
 * @param order which order of threads that was: 0 for that of the recorded run, else the number of
 *     the one in which a writer was held
 * @param place the failure point's frame in the user's code, in words
 * @param lost the stores, or changes of names and sizes, whose loss recovery cannot handle, one
 *     {@link TargetStack#place} each; empty in program order
 * @param arrived the stores that persisted before them
 * @param state the crash state's id; nothing in program order
 * @param recoveryCrash the failure point of recovery where it was cut as well
 * @param message what recovery made of it, in a line
 * @param replay the command that shows it again; empty where only the first sighting can be
 *     replayed
 */
public record Proof(
    String fingerprint,
    String verdict,
    FailurePointId failurePointId,
    @JsonAlias("visit") long occurrence,
    int order,
    String place,
    List<String> lost,
    List<String> arrived,
    Optional<String> state,
    @JsonAlias("second") Optional<FailurePointId> recoveryCrash,
    String message,
    String replay) {
  private static final int STORES = 5;

  /** A search that was cut short may leave a hundred thousand. */
  private static final int STORES_SEEN = 1_000;

  private static final int MESSAGE_LENGTH = 300;

  /** Copies the lists. */
  public Proof {
    lost = List.copyOf(lost);
    arrived = List.copyOf(arrived);
  }

  /** What a piece of evidence proves. */
  public static Proof of(String fingerprint, InjectionEvidence evidence) {
    return new Proof(
        fingerprint,
        evidence.verdict().name(),
        evidence.failurePointId(),
        evidence.occurrence(),
        evidence.order(),
        place(evidence.stack()),
        evidence
            .state()
            .map(state -> places(state.lost()))
            .or(() -> evidence.lostMetadata().map(Proof::places))
            .orElse(List.of()),
        evidence.state().map(state -> places(state.arrived())).orElse(List.of()),
        evidence
            .state()
            .map(JudgedState::id)
            .or(() -> evidence.lostMetadata().map(LostMetadata::id)),
        evidence.recoveryCrash().map(RecoveryCrash::failurePointId),
        message(evidence),
        evidence.replay());
  }

  /**
   * A crash that showed what is known already.
   *
   * @param fingerprint of what is known
   * @param cut where the power was cut
   * @param stack of the failure point
   */
  public static Proof again(String fingerprint, Occurrence cut, List<StackFrame> stack) {
    return new Proof(
        fingerprint,
        "",
        cut.id(),
        cut.number(),
        cut.order(),
        place(stack),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        "",
        "");
  }

  /** Where the power was cut. */
  public Occurrence cut() {
    return new Occurrence(failurePointId, occurrence, order);
  }

  private static String place(List<StackFrame> stack) {
    return UserCode.of(stack).map(StackFrame::text).orElse("");
  }

  private static List<String> places(List<JudgedState.Store> stores) {
    return placesOf(stores.stream().map(store -> store.store().stack()));
  }

  private static List<String> places(LostMetadata lost) {
    return placesOf(lost.calls().stream().map(MetadataCall::stack));
  }

  private static List<String> placesOf(Stream<List<StackFrame>> stacks) {
    return stacks
        .limit(STORES_SEEN)
        .distinct()
        .map(stack -> TargetStack.place(stack).orElse(""))
        .distinct()
        .limit(STORES)
        .toList();
  }

  private static String message(InjectionEvidence evidence) {
    String last = evidence.output().lines().filter(line -> !line.isBlank()).reduce("", (a, b) -> b);
    return Text.beginning(
        last.isEmpty() ? evidence.seen() : evidence.seen() + ": " + last.strip(), MESSAGE_LENGTH);
  }

  /** Whether the image was that of program order. */
  @JsonIgnore
  public boolean isOfProgramOrder() {
    return !verdict.isEmpty() && state.isEmpty() && recoveryCrash.isEmpty();
  }
}
