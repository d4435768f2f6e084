// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStatePolicy;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.trace.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search, with recoveries that only read lines. */
class CompleteSearchTest {
  private static final int LINES = 5;
  private static final int ENOUGH = 10_000;

  @TempDir private Path folder;
  private ProgramByHand program;

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
  }

  @AfterEach
  void close() throws IOException {
    program.close();
  }

  /** A line that was read, and what it held. */
  private record Read(int line, int content) {}

  /** A recovery that reads a line, and goes on as its content says. */
  private static final class Reader implements CompleteSearch.Recovery {
    private final long seed;
    private final int most;
    private final Map<CrashState, List<Read>> known = new HashMap<>();
    private final List<List<Read>> runs = new ArrayList<>();

    Reader(long seed, int most) {
      this.seed = seed;
      this.most = most;
    }

    List<Read> reads(CrashState state) {
      Map<Integer, Integer> contents = new HashMap<>();
      for (LineDifference line : state.differences()) {
        contents.put((int) (Location.offset(line.location()) / 64), Arrays.hashCode(line.bytes()));
      }
      List<Read> reads = new ArrayList<>();
      Random next = new Random(seed);
      while (reads.size() < most) {
        int line = next.nextInt(LINES);
        int content = contents.getOrDefault(line, 0);
        reads.add(new Read(line, content));
        next = new Random(seed * 31 + reads.hashCode());
      }
      return reads;
    }

    @Override
    public Optional<LongPredicate> known(CrashState state, boolean whole) {
      return Optional.ofNullable(known.get(state)).map(Reader::predicate);
    }

    @Override
    public Optional<LongPredicate> run(CrashState state) {
      List<Read> reads = reads(state);
      known.put(state, reads);
      runs.add(reads);
      return Optional.of(predicate(reads));
    }

    private static LongPredicate predicate(List<Read> reads) {
      return location ->
          reads.stream().anyMatch(one -> one.line() == Location.offset(location) / 64);
    }
  }

  private CrashStates states(Random random) throws IOException {
    for (int store = 0; store < 8; store++) {
      program.store(10 + store, random.nextInt(LINES), random.nextInt(2), random.nextInt(100) + 1);
    }
    try (CrashPoint point = program.cut(30)) {
      return point.states();
    }
  }

  private static Stream<CrashState> all(CrashStates states) {
    return Stream.concat(
        Stream.of(CrashState.of(List.of())),
        new CrashStatePolicy.Exhaustive(LINES).select(states).states());
  }

  @Test
  void everyStateShouldBeLikeOneThatWasRun() throws IOException {
    CrashStates states = states(new Random(1));
    for (int seed = 0; seed < 200; seed++) {
      Reader recovery = new Reader(seed, 1 + seed % 4);
      assertThat(new CompleteSearch(states, recovery, ENOUGH).decidesAll()).isTrue();
      Set<List<Read>> run = new HashSet<>(recovery.runs);
      assertThat(recovery.known).hasSameSizeAs(recovery.runs);
      assertThat(all(states).map(recovery::reads)).allMatch(run::contains);
    }
  }

  @Test
  void recoveryThatReadsNothingShouldRunOnce() throws IOException {
    Reader recovery = new Reader(1, 0);
    assertThat(new CompleteSearch(states(new Random(2)), recovery, 1).decidesAll()).isTrue();
    assertThat(recovery.runs).hasSize(1);
  }

  @Test
  void searchThatTheRunsDoNotSufficeForShouldNotBegin() throws IOException {
    CrashStates states = states(new Random(1));
    Reader enough = new Reader(3, 3);
    assertThat(new CompleteSearch(states, enough, ENOUGH).decidesAll()).isTrue();
    Reader few = new Reader(3, 3);
    assertThat(new CompleteSearch(states, few, enough.runs.size() - 1).decidesAll()).isFalse();
    Reader one = new Reader(3, 3);
    assertThat(new CompleteSearch(states, one, 2).decidesAll()).isFalse();
    assertThat(one.runs).hasSize(1);
  }

  @Test
  void stateThatCannotBeJudgedShouldLeaveItOpen() throws IOException {
    CompleteSearch.Recovery broken =
        new CompleteSearch.Recovery() {
          @Override
          public Optional<LongPredicate> known(CrashState state, boolean whole) {
            return Optional.empty();
          }

          @Override
          public Optional<LongPredicate> run(CrashState state) {
            return Optional.empty();
          }
        };
    assertThat(new CompleteSearch(states(new Random(1)), broken, ENOUGH).decidesAll()).isFalse();
  }

  @Test
  void programOrderAloneShouldNeedToBeKnown() {
    Reader recovery = new Reader(1, 2);
    assertThat(new CompleteSearch(CrashStates.NONE, recovery, 0).decidesAll()).isFalse();
    assertThat(new CompleteSearch(CrashStates.NONE, recovery, 1).decidesAll()).isTrue();
  }
}
