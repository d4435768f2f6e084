// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What a policy chose: different states, none of them that of program order. */
public final class Selection {
  private final BigInteger count;
  private final Supplier<Stream<CrashState>> states;
  private final long passedOver;
  private final Optional<String> refusal;

  private Selection(
      BigInteger count,
      Supplier<Stream<CrashState>> states,
      long passedOver,
      Optional<String> refusal) {
    this.count = count;
    this.states = states;
    this.passedOver = passedOver;
    this.refusal = refusal;
  }

  static Selection of(BigInteger count, Supplier<Stream<CrashState>> states) {
    return new Selection(count, states, 0, Optional.empty());
  }

  /** The same policy would have chosen so many more, had there been fewer. */
  Selection passingOver(long states) {
    return new Selection(count, this.states, states, refusal);
  }

  static Selection of(List<CrashState> states) {
    return of(BigInteger.valueOf(states.size()), states::stream);
  }

  static Selection refused(String why) {
    return new Selection(BigInteger.ZERO, Stream::empty, 0, Optional.of(why));
  }

  /** How many there are, exactly. */
  public BigInteger count() {
    return count;
  }

  /**
   * The states, always in the same order; made while the stream is read, so that a part of many
   * costs no more than that part.
   */
  public Stream<CrashState> states() {
    return states.get();
  }

  /**
   * How many more states the policy is about at most and has not chosen, for there were too many:
   * of lines that are not in a {@link CrashStates#sample}, one each; of lines with too many
   * prefixes or tears, those; and of stores that were forgotten, one each.
   */
  public long passedOver() {
    return passedOver;
  }

  /** Why nothing was chosen although there may be something; a sentence without its full stop. */
  public Optional<String> refusal() {
    return refusal;
  }
}
