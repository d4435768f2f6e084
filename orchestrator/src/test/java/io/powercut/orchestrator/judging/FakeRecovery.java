// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.dump.Dump;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.StateVerdicts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/** A recovery that is a function of the file {@code pool} on the image: no process is started. */
public final class FakeRecovery implements CrashImageJudge {
  private final BiFunction<Words, JudgedImages, Optional<String>> recovery;
  private final Verdict.Kind failure;
  private final Predicate<Words> unsure;
  private final AtomicInteger runs = new AtomicInteger();

  /** The file as words of 8 bytes. */
  public interface Words {
    /** A word by its cache line and its place in it, from 0 to 7. */
    long at(int line, int word);
  }

  /**
   * @param recovery says why it fails, and nothing when it succeeds
   */
  public FakeRecovery(Function<Words, Optional<String>> recovery) {
    this(recovery, Verdict.Kind.UNRECOVERABLE);
  }

  /**
   * @param recovery the same, of a recovery that is told what the target had acknowledged
   */
  public FakeRecovery(BiFunction<Words, JudgedImages, Optional<String>> recovery) {
    this(recovery, Verdict.Kind.UNRECOVERABLE, pool -> false);
  }

  private FakeRecovery(Function<Words, Optional<String>> recovery, Verdict.Kind failure) {
    this((pool, images) -> recovery.apply(pool), failure, pool -> false);
  }

  private FakeRecovery(
      BiFunction<Words, JudgedImages, Optional<String>> recovery,
      Verdict.Kind failure,
      Predicate<Words> unsure) {
    this.recovery = recovery;
    this.failure = failure;
    this.unsure = unsure;
  }

  /**
   * The same, whose verdict on some images is inconclusive.
   *
   * @param unsure which
   */
  public FakeRecovery unsureOf(Predicate<Words> unsure) {
    return new FakeRecovery(recovery, failure, unsure);
  }

  /** One that hangs on some images. */
  public static FakeRecovery hanging(Predicate<Words> hangs) {
    return new FakeRecovery(
        pool -> hangs.test(pool) ? Optional.of("it hung") : Optional.empty(), Verdict.Kind.HUNG);
  }

  /** One that fails where the flag in line 1 is ahead of the value in line 0, which it promises. */
  public static FakeRecovery ofFlagAndValue() {
    return new FakeRecovery(
        pool ->
            pool.at(1, 0) > pool.at(0, 0)
                ? Optional.of("the flag is ahead of the value")
                : Optional.empty());
  }

  /** How often it was run. */
  public int runs() {
    return runs.get();
  }

  @Override
  public Judgement judge(Occurrence at, JudgedImages images) {
    return probe(at, images);
  }

  @Override
  public Judgement judge(Occurrence at, JudgedImages images, Path kept) {
    return probe(at, images);
  }

  @Override
  public Judgement probe(Occurrence at, JudgedImages images) {
    runs.incrementAndGet();
    try (ImageCopy copy = images.fresh()) {
      ByteBuffer pool =
          ByteBuffer.wrap(Files.readAllBytes(copy.directory().resolve(ProgramByHand.FILE)))
              .order(ByteOrder.LITTLE_ENDIAN);
      Words words = (line, word) -> pool.getLong(line * 64 + word * Long.BYTES);
      if (unsure.test(words)) {
        return verdict(at, Optional.of("it is not known"), Verdict.Kind.INCONCLUSIVE);
      }
      return verdict(at, recovery.apply(words, images), failure);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The verdict on an image.
   *
   * @param problem why recovery failed; nothing if it succeeded
   */
  public static Judgement verdict(Occurrence at, Optional<String> problem) {
    return verdict(at, problem, Verdict.Kind.UNRECOVERABLE);
  }

  private static Judgement verdict(Occurrence at, Optional<String> problem, Verdict.Kind failure) {
    return new Judgement(
        at.id(),
        at.number(),
        at.order(),
        problem.isPresent() ? failure : Verdict.Kind.CONSISTENT,
        problem.orElse("recovery succeeded"),
        "recovery",
        problem.orElse(""),
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

  /** What was found at an occurrence where recovery failed on a state that lost a store. */
  public static StateVerdicts proof(
      Occurrence at, JudgedState.Store lost, List<JudgedState.Store> arrived) {
    JudgedState state =
        new JudgedState(
            "0123456789abcdef",
            "one-line-lost",
            "fingerprint",
            List.of(),
            List.of(lost),
            arrived,
            true,
            Optional.empty(),
            "flush it",
            Optional.empty(),
            false,
            false,
            0,
            Set.of(),
            Optional.empty(),
            List.of());
    return StateVerdicts.none(at, false)
        .withFindings(List.of(verdict(at, Optional.of("lost")).withState(state)));
  }

  /** An unflushed store to a line of the pool. */
  public static JudgedState.Store unflushed(int line, JudgedState.Role role) {
    return new JudgedState.Store(
        new ImageStore("pool", 64L * line, 8, "01", List.of()),
        1,
        JudgedState.Missing.FLUSH,
        role,
        "");
  }

  @Override
  public Dump dump(String of, JudgedImages images) {
    throw new UnsupportedOperationException("contents are not compared here");
  }
}
