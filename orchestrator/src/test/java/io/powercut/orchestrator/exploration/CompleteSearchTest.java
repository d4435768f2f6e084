// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.reads.Conditions;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.LineRead;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search, with recoveries that only read lines. */
class CompleteSearchTest {
  private static final int LINES = 5;
  private static final int ENOUGH = 10_000;

  /** Kinds of nodes of conditions, and a code of conditional jumps (lines.h). */
  private static final int CONSTANT = 0;

  private static final int BYTES = 1;
  private static final int ADDITION = 2;
  private static final int COMPARED = 11;
  private static final int IS_EQUAL = 4;

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

  /**
   * A byte that was read, and what it held.
   *
   * @param place in the file
   */
  private record Read(int place, byte value) {}

  /** A recovery that reads a byte, and goes on as its value says. */
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
      Map<Integer, Byte> changes = new HashMap<>();
      for (LineDifference line : state.differences()) {
        byte[] usual = line.line().programOrder().bytes();
        byte[] bytes = line.bytes();
        for (int place = 0; place < 64; place++) {
          int there = (int) Location.offset(line.location()) + place;
          changes.put(there, (byte) (bytes[place] - usual[place]));
        }
      }
      List<Read> reads = new ArrayList<>();
      Random next = new Random(seed);
      while (reads.size() < most) {
        int place = next.nextInt(LINES) * 64 + next.nextInt(2) * 8;
        reads.add(new Read(place, changes.getOrDefault(place, (byte) 0)));
        next = new Random(seed * 31 + reads.hashCode());
      }
      return reads;
    }

    @Override
    public Optional<CompleteSearch.Reads> known(CrashState state, boolean whole) {
      return Optional.ofNullable(known.get(state)).map(Reader::answer);
    }

    @Override
    public Optional<CompleteSearch.Reads> run(CrashState state, boolean isThorough) {
      List<Read> reads = reads(state);
      known.put(state, reads);
      runs.add(reads);
      return Optional.of(answer(reads));
    }

    private static CompleteSearch.Reads answer(List<Read> reads) {
      return location -> {
        long bytes = 0;
        long turn = 0;
        for (int index = reads.size() - 1; index >= 0; index--) {
          int place = reads.get(index).place();
          if (place / 64 == Location.offset(location) / 64) {
            bytes |= 1L << (place % 64);
            turn = index + 1L;
          }
        }
        return new LineRead(bytes, turn);
      };
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
  void contentsThatDifferElsewhereShouldBeOne() throws IOException {
    for (int word = 0; word < 8; word++) {
      program.store(10 + word, 0, word, word + 1);
    }
    try (CrashPoint point = program.cut(30)) {
      List<CrashState> runs = new ArrayList<>();
      CompleteSearch.Recovery secondWord =
          new CompleteSearch.Recovery() {
            @Override
            public Optional<CompleteSearch.Reads> known(CrashState state, boolean whole) {
              return Optional.empty();
            }

            @Override
            public Optional<CompleteSearch.Reads> run(CrashState state, boolean isThorough) {
              runs.add(state);
              return Optional.of(location -> new LineRead(0xff00, 1));
            }
          };
      assertThat(new CompleteSearch(point.states(), secondWord, ENOUGH).decidesAll()).isTrue();
      assertThat(point.states().count()).isEqualTo(9);
      assertThat(runs).as("with the second word and without it").hasSize(2);
    }
  }

  @Test
  void lineThatIsReadFirstShouldBeChosenFirst() throws IOException {
    program.store(10, 0, 0, 1).store(11, 1, 0, 1).store(12, 2, 0, 1);
    try (CrashPoint point = program.cut(30)) {
      List<CrashState> runs = new ArrayList<>();
      // It reads the last line, and the others only if that one was stored to.
      CompleteSearch.Recovery backwards =
          new CompleteSearch.Recovery() {
            @Override
            public Optional<CompleteSearch.Reads> known(CrashState state, boolean whole) {
              return Optional.empty();
            }

            @Override
            public Optional<CompleteSearch.Reads> run(CrashState state, boolean isThorough) {
              runs.add(state);
              boolean isLost =
                  state.differences().stream()
                      .anyMatch(line -> Location.offset(line.location()) == 128);
              return Optional.of(
                  location ->
                      isLost && Location.offset(location) != 128
                          ? LineRead.NONE
                          : new LineRead(-1, 3 - Location.offset(location) / 64));
            }
          };
      assertThat(new CompleteSearch(point.states(), backwards, ENOUGH).decidesAll()).isTrue();
      assertThat(runs).as("five of eight states").hasSize(5);
    }
  }

  /** It adds up a byte of each line, and copies them if the sum is that of program order. */
  private static final class Summing implements CompleteSearch.Recovery {
    private static final int SUM = 1 + 2 + 4;

    private final List<CrashState> runs = new ArrayList<>();

    @Override
    public Optional<CompleteSearch.Reads> known(CrashState state, boolean whole) {
      return Optional.empty();
    }

    @Override
    public Optional<CompleteSearch.Reads> run(CrashState state, boolean isThorough) {
      runs.add(state);
      int[] values = {1, 2, 4};
      for (LineDifference line : state.differences()) {
        values[(int) Location.offset(line.location()) / 64] = line.bytes()[0];
      }
      boolean isValid = values[0] + values[1] + values[2] == SUM;
      List<Conditions.Node> nodes = new ArrayList<>();
      for (int line = 0; line < 3; line++) {
        nodes.add(new Conditions.Node(BYTES, 0, 1, line, 1, values[line]));
      }
      nodes.add(new Conditions.Node(ADDITION, 0, 0, 1, 2, 0L + values[0] + values[1]));
      nodes.add(new Conditions.Node(ADDITION, 0, 0, 4, 3, 0L + values[0] + values[1] + values[2]));
      nodes.add(new Conditions.Node(CONSTANT, 0, 0, 0, 0, SUM));
      nodes.add(new Conditions.Node(COMPARED, IS_EQUAL, 8, 5, 6, isValid ? 1 : 0));
      Conditions conditions =
          Conditions.of(IntStream.range(0, 3).mapToObj(line -> name(64L * line)).toList(), nodes);
      return Optional.of(
          new CompleteSearch.Reads() {
            @Override
            public LineRead of(long location) {
              return new LineRead(isValid ? 1 : 0, 1);
            }

            @Override
            public Conditions conditions() {
              return conditions;
            }

            @Override
            public ImageLine line(long location) {
              return name(Location.offset(location));
            }
          });
    }

    private static ImageLine name(long offset) {
      return ImageLine.of("pool", offset);
    }
  }

  @Test
  void statesOnWhichConditionsHoldShouldNotBeRun() throws IOException {
    program.store(10, 0, 0, 1).store(11, 1, 0, 2).store(12, 2, 0, 4);
    try (CrashPoint point = program.cut(30)) {
      Summing recovery = new Summing();
      CompleteSearch search = new CompleteSearch(point.states(), recovery, ENOUGH);

      assertThat(search.decidesAll()).isTrue();
      assertThat(recovery.runs).as("with the right sum, and with a wrong one").hasSize(2);
      assertThat(search.sample()).as("one of the six others").isPresent();
      assertThat(search.sample().get().judged()).isEqualTo(recovery.runs.get(1));
      assertThat(search.sample().get().state()).isNotIn(recovery.runs);
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
          public Optional<CompleteSearch.Reads> known(CrashState state, boolean whole) {
            return Optional.empty();
          }

          @Override
          public Optional<CompleteSearch.Reads> run(CrashState state, boolean isThorough) {
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
