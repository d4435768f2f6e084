// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static io.powercut.persistency.states.ManyLines.FAR;
import static io.powercut.persistency.states.ManyLines.FILE;
import static io.powercut.persistency.states.ManyLines.LINE;
import static io.powercut.persistency.states.ManyLines.MANY;
import static io.powercut.persistency.states.ManyLines.OTHER;
import static io.powercut.persistency.states.ManyLines.PAGE;
import static io.powercut.persistency.states.ManyLines.UNNAMED;
import static io.powercut.persistency.states.ManyLines.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.persistency.lines.StoreCode;
import io.powercut.trace.Location;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** States of more lines than are known one by one: what is kept of them is a rule. */
class ManyLinesTest {
  private static long at(long offset) {
    return Location.of(FILE, offset);
  }

  /** What the first words of consecutive lines hold. */
  private static Map<Long, Long> zeros(long offset, int lines) {
    return LongStream.range(0, lines)
        .boxed()
        .collect(Collectors.toMap(line -> offset + line * LINE, line -> 0L));
  }

  private static long[] pages(long first, int count) {
    return LongStream.range(0, count).map(page -> first + page * PAGE).toArray();
  }

  private static StoreCode code(int site) {
    return StoreCode.of(site, site);
  }

  // What is lost

  @Test
  void everythingShouldBeLostThatCanBe() {
    CrashStates states = ManyLines.ofOneLoop().store(OTHER, PAGE, 1, 6).states();
    CrashState lost = states.everythingLost();

    assertThat(states.isFew()).isFalse();
    assertThat(states.size()).isEqualTo(MANY + 1);
    assertThat(held(lost, FILE)).isEqualTo(zeros(0, MANY));
    assertThat(held(lost, OTHER)).isEqualTo(zeros(PAGE, 1));
    assertThat(lost.size()).isEqualTo(MANY + 1);
    assertThat(lost.files()).containsExactly(FILE, OTHER);
    assertThat(states.files()).containsExactly(FILE, OTHER);
    assertThat(lost.pages(FILE)).isEqualTo(pages(0, (MANY + 63) / 64));
    assertThat(lost.pages(OTHER)).isEqualTo(pages(PAGE, 1));
    assertThat(lost.pages(UNNAMED)).isEmpty();
    assertThat(lost.isProgramOrder()).isFalse();
    assertThat(lost.isFew()).isFalse();
    assertThat(lost).hasToString("[] and 1 parts");
  }

  @Test
  void linesThatHoldTheSameWithoutTheirStoresShouldNotBeLost() {
    ManyLines program = ManyLines.ofOneLoop();
    for (long offset = FAR; offset < FAR + 10 * LINE; offset += LINE) {
      program.store(FILE, offset, 0, 6);
    }
    CrashStates states = program.states();
    CrashState lost = states.everythingLost();

    assertThat(states.size()).isEqualTo(MANY + 10);
    assertThat(lost.size()).isEqualTo(MANY);
    assertThat(held(lost, FILE)).isEqualTo(zeros(0, MANY));
    assertThat(states.everythingLostOf(Set.of(code(6))).isProgramOrder()).isTrue();
    assertThat(states.before(0).of(Set.of(code(6))).isProgramOrder())
        .as("a rule that does not know what lines held before")
        .isTrue();
  }

  @Test
  void someLinesShouldBeAsInProgramOrder() {
    CrashStates states = ManyLines.ofOneLoop().states();
    Map<Long, Long> others = zeros(0, MANY);
    others.remove(0L);
    others.remove(PAGE);

    CrashState first = states.everythingLostBut(Set.of(at(0), at(PAGE)));
    CrashState later = states.everythingLost().without(Set.of(at(0))).without(Set.of(at(PAGE)));

    assertThat(held(first, FILE)).isEqualTo(others);
    assertThat(later).isEqualTo(first).hasSameHashCodeAs(first);
    assertThat(first).isNotEqualTo(states.everythingLost());
  }

  @Test
  void linesShouldBeLostThatSomeCodeStoredTo() {
    ManyLines program = new ManyLines().loop(FILE, 0, MANY, 5).loop(OTHER, 0, MANY, 6);
    program.store(FILE, 8, 9, 7).store(FILE, 2 * LINE + 8, 9, 7);
    CrashStates states = program.states();

    CrashState many = states.everythingLostOf(Set.of(code(6)));
    CrashState few = states.everythingLostOf(Set.of(code(7)));

    assertThat(held(many, OTHER)).isEqualTo(zeros(0, MANY));
    assertThat(held(many, FILE)).isEmpty();
    assertThat(many.isFew()).isFalse();
    assertThat(held(few, FILE)).isEqualTo(Map.of(0L, 0L, 2L * LINE, 0L));
    assertThat(few.isFew()).isTrue();
    assertThat(few.differences()).hasSize(2);
    assertThat(states.everythingLost().of(Set.of(code(6)))).isEqualTo(many);
    assertThat(states.codes()).containsExactlyInAnyOrder(code(5), code(6), code(7));
    assertThat(states.codesOf(store -> Set.of(5, 7, 8).contains(store.site())))
        .containsExactlyInAnyOrder(code(5), code(7));
  }

  /**
   * With so many stores, what each of the two lines has in common with others is not looked for.
   */
  @Test
  void codeOfLinesShouldBeKnownHoweverTheyAreKept() {
    ManyLines program = new ManyLines().loop(FILE, 0, 10, 5).loop(FILE, 10 * LINE, 10, 6);
    for (int store = 0; store < 600; store++) {
      program.store(FILE, FAR + store % 2 * (long) LINE, store + 1, 7 + store % 2);
    }
    program.store(FILE, FAR, 1, 10).loop(OTHER, 0, 5, 9).loop(UNNAMED, 0, 5, 11);
    CrashStates states = program.states();

    assertThat(states.codes())
        .containsExactlyInAnyOrder(code(5), code(6), code(7), code(8), code(9), code(10));
    assertThat(states.codesOf(store -> Set.of(6, 8, 11).contains(store.site())))
        .containsExactlyInAnyOrder(code(6), code(8));
    assertThat(held(states.everythingLostOf(Set.of(code(8))), FILE))
        .isEqualTo(zeros(FAR + LINE, 1));
    assertThat(held(states.everythingLostOf(Set.of(code(10))), FILE)).isEqualTo(zeros(FAR, 1));
    assertThat(held(states.everythingLostOf(Set.of(code(6))), FILE))
        .isEqualTo(zeros(10 * LINE, 10));
    assertThat(states.sample(4))
        .extracting(line -> Location.offset(line.location()))
        .contains(0L, 9L * LINE, 10L * LINE, 19L * LINE, FAR, FAR + LINE);
  }

  @Test
  void whatIsKnownLineByLineShouldBeAskedForLikeARule() {
    CrashStates states = new ManyLines().loop(FILE, 0, 5, 5).loop(OTHER, 0, 5, 6).states();
    CrashState lost = states.everythingLost();

    assertThat(lost.isFew()).isTrue();
    assertThat(lost.files()).containsExactly(FILE, OTHER);
    assertThat(lost.of(Set.of(code(6))).files()).containsExactly(OTHER);
    assertThat(lost.of(Set.of(code(7)))).isEqualTo(CrashState.of(List.of()));
    assertThat(lost.parts(3)).hasSize(10);
    assertThat(lost.size()).isEqualTo(10);
    assertThat(lost.first()).isEqualTo(lost.differences());
    assertThat(lost.without(Set.of(at(0))).hashCode()).isNotEqualTo(lost.hashCode());
    assertThat(lost.toString()).startsWith("[1:0x0 ").endsWith("]");
  }

  /** A part of a state has none but the lines of that state. */
  @Test
  void linesOfSomeCodeShouldBeAmongThoseOfTheState() {
    ManyLines program = new ManyLines().loop(FILE, 0, MANY, 5).loop(OTHER, 0, MANY, 6);
    program.store(OTHER, 8, 9, 5);
    CrashState lost = program.states().everythingLostOf(Set.of(code(6)));

    CrashState part = lost.of(Set.of(code(5)));

    assertThat(held(part, FILE)).isEmpty();
    assertThat(held(part, OTHER)).isEqualTo(zeros(0, 1));
    assertThat(lost.of(Set.of(code(6))).size()).isEqualTo(MANY);
    assertThat(lost.of(Set.of(code(7))).isProgramOrder()).isTrue();
    assertThat(lost.of(Set.<StoreCode>of()).isProgramOrder()).isTrue();
  }

  @Test
  void whatWasStoredFromAPlaceOnShouldBeLost() {
    ManyLines program = ManyLines.ofOneLoop();
    long second = program.next();
    program.store(FILE, 0, 77, 6).store(FILE, 64 * LINE, 0, 6).store(FILE, FAR, 9, 6);
    CrashState before = program.states().before(second);

    SortedMap<Long, Long> held = held(before, FILE);
    assertThat(held).hasSize(MANY + 1).containsEntry(FAR, 0L);
    held.remove(FAR);
    held.forEach((offset, word) -> assertThat(word).isEqualTo(offset / LINE + 1));
    assertThat(before.simple().differences())
        .as("most lines are as in program order")
        .extracting(line -> Location.offset(line.location()))
        .containsExactly(0L, 64L * LINE, FAR);
  }

  @Test
  void chanceShouldLeaveEachLineAsSomeOfItsStoresDid() {
    ManyLines program = ManyLines.ofOneLoop();
    for (int line = 0; line < MANY; line++) {
      program.store(FILE, (long) line * LINE, -1, 6);
    }
    CrashStates states = program.states();

    Map<Long, Long> one = held(states.lostByChance(1), FILE);
    Map<Integer, Integer> persisted = new HashMap<>();
    one.forEach(
        (offset, word) -> {
          int stores = word == 0 ? 0 : word == -1 ? 2 : 1;
          assertThat(stores == 1 ? word : 0).isIn(0L, offset / LINE + 1);
          persisted.merge(stores, 1, Integer::sum);
        });

    assertThat(one).hasSize(MANY);
    assertThat(persisted.keySet()).containsExactly(0, 1, 2);
    assertThat(persisted.values()).allSatisfy(lines -> assertThat(lines).isBetween(290, 450));
    assertThat(held(states.lostByChance(1), FILE)).isEqualTo(one);
    assertThat(held(states.lostByChance(2), FILE)).isNotEqualTo(one);
    assertThat(states.lostByChance(1)).isNotEqualTo(states.lostByChance(2));
  }

  @Test
  void linesOfARangeShouldBeHandedOutOnly() {
    CrashStates states = ManyLines.ofOneLoop().loop(FILE, FAR, 100, 6).states();
    CrashState lost = states.everythingLost();
    CrashState few = states.everythingLostOf(Set.of(code(6)));

    assertThat(held(lost, FILE, 10 * LINE, 20 * LINE)).isEqualTo(zeros(10 * LINE, 10));
    assertThat(held(lost, FILE, PAGE, 2 * PAGE)).isEqualTo(zeros(PAGE, 64));
    assertThat(held(lost, FILE, FAR - PAGE, FAR + LINE)).isEqualTo(zeros(FAR, 1));
    assertThat(held(lost, FILE, MANY * LINE, FAR)).isEmpty();
    assertThat(held(lost, OTHER, 0, FAR)).isEmpty();
    assertThat(held(few, FILE, FAR + LINE, FAR + 4 * LINE)).isEqualTo(zeros(FAR + LINE, 3));
    assertThat(held(few, FILE, 0, FAR)).isEmpty();
  }

  // Few and many

  @Test
  void aStateOfManyShouldNotPretendToKnowThem() {
    CrashState lost = ManyLines.ofOneLoop().states().everythingLost();

    assertThat(lost.simple()).isSameAs(lost);
    assertThatThrownBy(lost::differences).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lost::missing).isInstanceOf(IllegalStateException.class);
    assertThat(lost.first())
        .hasSize(CrashStates.FEW_LINES)
        .isSortedAccordingTo((one, other) -> Long.compare(one.location(), other.location()));
  }

  @Test
  void stateShouldBeSimpleUpToTheMostThatAreFew() {
    int few = CrashStates.FEW_LINES;
    CrashStates states = new ManyLines().loop(FILE, 0, few, 5).loop(OTHER, 0, few + 1, 6).states();

    CrashState exactly = states.everythingLostOf(Set.of(code(5)));
    CrashState oneMore = states.everythingLostOf(Set.of(code(6)));

    assertThat(exactly.isFew()).isTrue();
    assertThat(exactly.differences()).hasSize(few);
    assertThat(exactly.simple()).isSameAs(exactly);
    assertThat(oneMore.isFew()).isFalse();
    assertThat(new ManyLines().loop(FILE, 0, few, 5).states().isFew()).isTrue();
    assertThat(new ManyLines().loop(FILE, 0, few + 1, 5).states().isFew()).isFalse();
  }

  @Test
  void statesTogetherShouldHaveTheLinesOfAll() {
    CrashStates states =
        new ManyLines()
            .loop(FILE, 0, 700, 5)
            .loop(OTHER, 0, MANY, 6)
            .loop(OTHER, FAR, 400, 7)
            .states();
    CrashState few = states.everythingLostOf(Set.of(code(5)));
    CrashState many = states.everythingLostOf(Set.of(code(6)));
    CrashState rule = states.everythingLost().of(Set.of(code(7)));

    CrashState all = CrashState.all(List.of(few, many));
    assertThat(held(all, FILE)).isEqualTo(zeros(0, 700));
    assertThat(held(all, OTHER)).isEqualTo(zeros(0, MANY));
    assertThat(all.size()).isEqualTo(700 + MANY);
    assertThat(all.files()).containsExactly(FILE, OTHER);
    assertThat(all.pages(FILE)).isEqualTo(pages(0, 11));
    assertThat(all.isProgramOrder()).isFalse();
    assertThat(all.simple()).isSameAs(all);
    assertThat(all.first()).hasSize(CrashStates.FEW_LINES);
    assertThat(all.parts(1)).hasSize(701);

    CrashState both = CrashState.all(List.of(few, rule));
    assertThat(both.isFew()).isFalse();
    assertThat(both.simple()).as("700 are known and 400 are too many then").isSameAs(both);
    assertThat(CrashState.all(List.of(rule)).simple().differences()).hasSize(400);
    assertThat(both.first()).hasSize(CrashStates.FEW_LINES);
    assertThat(both.of(Set.of(code(7))).simple().differences()).hasSize(400);
    assertThat(both.without(Set.of(at(0))).size()).isEqualTo(1099);
    assertThat(few.without(Set.of(at(0))).differences()).hasSize(699);
  }

  // Parts

  @Test
  void partsShouldHaveAllLinesOnceAndAboutTheSameNumber() {
    CrashState lost =
        new ManyLines().loop(FILE, 0, 1500, 5).loop(FILE, FAR, 1500, 6).states().everythingLost();

    for (int number : new int[] {2, 3, 8}) {
      TreeMap<Long, Long> all = new TreeMap<>();
      List<CrashState> parts = lost.parts(number);
      for (CrashState part : parts) {
        Map<Long, Long> lines = held(part, FILE);
        assertThat(lines.size()).isBetween(3000 / number - 128, 3000 / number + 192);
        assertThat(part.size()).isEqualTo(lines.size());
        assertThat(Collections.disjoint(all.keySet(), lines.keySet())).isTrue();
        all.putAll(lines);
      }
      assertThat(parts).hasSize(number);
      assertThat(all).isEqualTo(held(lost, FILE));
      assertThat(CrashState.all(parts).size()).isEqualTo(3000);
    }
    assertThat(lost.parts(1)).containsExactly(lost);
  }

  @Test
  void partsOfAPartShouldStayInsideIt() {
    CrashState lost = new ManyLines().loop(FILE, 0, 4096, 5).states().everythingLost();
    CrashState second = lost.parts(2).get(1);

    assertThat(second.pages(FILE)).isEqualTo(pages(32 * PAGE, 32));
    assertThat(held(second, FILE, 0, FAR)).isEqualTo(zeros(32 * PAGE, 2048));
    assertThat(held(second, FILE, 0, 32 * PAGE)).isEmpty();
    assertThat(lost.parts(2).get(0).pages(FILE)).isEqualTo(pages(0, 32));
    List<CrashState> halves = second.parts(2);
    assertThat(halves).hasSize(2);
    assertThat(halves.get(0).differences()).hasSize(1024);
    assertThat(held(halves.get(1), FILE)).isEqualTo(zeros(48 * PAGE, 1024));
  }

  /** Also where most were stored to just now, which are kept otherwise than the others. */
  @Test
  void partsShouldBeOfAboutTheSameSizeHoweverTheirLinesAreKept() {
    ManyLines program = new ManyLines(1000).loop(FILE, 0, 1100, 5);
    program.loop(OTHER, FAR, 100, 6);
    CrashState lost = program.states().everythingLost();

    for (int number : new int[] {2, 4, 8}) {
      List<CrashState> parts = lost.parts(number);
      assertThat(parts).hasSize(number);
      assertThat(parts)
          .allSatisfy(
              part -> assertThat(part.size()).isBetween(1200L / number - 64, 1200L / number + 128));
      assertThat(CrashState.all(parts).size()).isEqualTo(1200);
    }
  }

  @Test
  void partsWithoutAnyLineShouldBeLeftOut() {
    CrashState lost =
        ManyLines.ofOneLoop().loop(OTHER, 0, 10, 6).states().everythingLost().of(Set.of(code(6)));

    assertThat(lost.parts(4)).hasSize(1);
    assertThat(lost.parts(4).get(0).differences()).hasSize(10);
  }

  @Test
  void filesOfAPartShouldBeThoseThatItHasLinesOf() {
    List<CrashState> parts =
        new ManyLines()
            .loop(FILE, 0, 1600, 5)
            .loop(OTHER, 0, 1600, 6)
            .states()
            .everythingLost()
            .parts(2);

    assertThat(parts.get(0).files()).containsExactly(FILE);
    assertThat(parts.get(1).files()).containsExactly(OTHER);
  }

  // Files that a power cut does not leave

  @Test
  void linesOfFilesWithoutANameShouldNotCount() {
    ManyLines program = ManyLines.ofOneLoop().loop(UNNAMED, 0, 50, 9);
    program.store(FILE, FAR, 1, 5).store(FILE, FAR + LINE, 1, 5).store(UNNAMED, PAGE, 1, 9);
    CrashStates states = program.states();

    assertThat(states.size()).isEqualTo(MANY + 2);
    assertThat(states.files()).containsExactly(FILE);
    assertThat(states.codes()).containsExactly(code(5));
    assertThat(states.line(Location.of(UNNAMED, 0))).isEmpty();
    assertThat(states.line(Location.of(UNNAMED, PAGE))).isEmpty();
    CrashState lost = states.everythingLost();
    assertThat(lost.size()).isEqualTo(MANY + 2);
    assertThat(lost.files()).containsExactly(FILE);
    assertThat(lost.pages(UNNAMED)).isEmpty();
    assertThat(held(lost, UNNAMED, 0, FAR)).isEmpty();
    assertThat(states.sample(10)).allMatch(line -> Location.file(line.location()) == FILE);
  }

  // Single lines

  @Test
  void eachLineShouldBeFound() {
    CrashStates states = ManyLines.ofOneLoop().loop(OTHER, FAR, 2, 6).states();

    for (int line : new int[] {0, 1, 63, 64, 500, MANY - 1}) {
      InFlightLine found = states.line(at((long) line * LINE)).orElseThrow();
      assertThat(found.location()).isEqualTo(at((long) line * LINE));
      assertThat(found.stores()).singleElement().extracting(one -> one.site()).isEqualTo(5);
      assertThat(ManyLines.firstWord(found.stores().get(0).value())).isEqualTo(line + 1);
    }
    assertThat(states.line(Location.of(OTHER, FAR))).isPresent();
    assertThat(states.line(Location.of(OTHER, FAR + LINE))).isPresent();
    assertThat(states.line(Location.of(OTHER, FAR + 2 * LINE))).isEmpty();
    assertThat(states.line(Location.of(OTHER, FAR - LINE))).isEmpty();
    assertThat(states.line(at((long) MANY * LINE))).isEmpty();
    assertThat(states.line(at(FAR))).isEmpty();
  }

  @Test
  void storesThatWereForgottenShouldBeCountedWhereverTheLineIsKept() {
    ManyLines program = new ManyLines();
    for (int store = 0; store < 4097; store++) {
      program.store(FILE, 0, store, 5);
    }
    assertThat(program.states().forgotten()).isEqualTo(2048);

    program.loop(FILE, PAGE, 5, 6);

    assertThat(program.states().forgotten()).isEqualTo(2048);
    assertThat(program.states().isComplete()).isFalse();
    assertThat(ManyLines.ofOneLoop().states().isComplete()).isTrue();
  }

  // Samples

  @Test
  void sampleShouldHaveTheFirstTheLastAndTheLatestLineOfEachCode() {
    ManyLines program = new ManyLines().loop(FILE, FAR, 600, 5).loop(FILE, 0, 600, 5);
    program.store(FILE, FAR + 777 * LINE, 1, 6).store(OTHER, 0, 1, 7);
    CrashStates states = program.states();

    List<Long> sample =
        states.sample(64).stream().map(InFlightLine::location).collect(Collectors.toList());

    assertThat(sample)
        .isSorted()
        .doesNotHaveDuplicates()
        .hasSize(64 / 3 + 2)
        .contains(
            at(0),
            at(599 * LINE),
            at(FAR + 599 * LINE),
            at(FAR + 777 * LINE),
            Location.of(OTHER, 0));
    assertThat(states.sample(64)).extracting(InFlightLine::location).isEqualTo(sample);
    assertThat(sample.stream().filter(line -> line < at(FAR)).count()).isBetween(5L, 17L);
    assertThat(states.sample(3)).as("at least four of each code").hasSize(4 + 1 + 1);
    assertThat(states.sample(1202)).hasSize(1202);
    assertThat(states.lines())
        .hasSize(1202)
        .isSortedAccordingTo((one, other) -> Long.compare(one.location(), other.location()));
  }

  @Test
  void sampleShouldGroupLinesByTheCodeThatStoredFirst() {
    ManyLines program = new ManyLines().loop(FILE, 0, 600, 5).loop(FILE, FAR, 600, 6);
    for (int line = 0; line < 300; line++) {
      program.store(FILE, (long) line * LINE + 8, 1, 6);
    }

    List<InFlightLine> sample = program.states().sample(20);

    assertThat(sample).hasSize(20);
    assertThat(sample.stream().filter(line -> line.location() < at(FAR))).hasSize(10);
  }

  // Policies

  @Test
  void policiesShouldChooseWithoutAskingAboutEveryLine() {
    CrashStates states = ManyLines.ofOneLoop().states();

    assertThat(new CrashStatePolicy.Guaranteed().select(states).states())
        .containsExactly(states.everythingLost());

    Selection lost = new CrashStatePolicy.OneLineLost(2, 10).select(states);
    assertThat(lost.states()).hasSize(10).allMatch(state -> state.differences().size() == 1);
    assertThat(lost.passedOver()).isEqualTo(MANY - 10);

    Selection early = new CrashStatePolicy.OneLineEarly(10).select(states);
    assertThat(early.count()).isEqualTo(BigInteger.TEN);
    assertThat(early.states()).hasSize(10).allMatch(state -> state.size() == MANY - 1);
    assertThat(early.passedOver()).isEqualTo(MANY - 10);

    Selection sampled = new CrashStatePolicy.Sampled(3, 1).select(states);
    List<CrashState> some = new ArrayList<>(sampled.states().toList());
    assertThat(sampled.count()).isEqualTo(BigInteger.valueOf(3));
    assertThat(some).hasSize(3).doesNotHaveDuplicates().contains(states.lostByChance(1));

    Selection all = new CrashStatePolicy.Exhaustive(1000).select(states);
    assertThat(all.states()).isEmpty();
    assertThat(all.refusal()).get().asString().startsWith(MANY + " lines are pending, more than");
  }
}
