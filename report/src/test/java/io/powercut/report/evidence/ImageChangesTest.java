// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.tree.FailurePointId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImageChangesTest {
  private static final StackFrame MAIN = frame("main", 90);

  private static StackFrame frame(String function, int line) {
    return new StackFrame(function, "/src/app.c", line, "app", Integer.toHexString(line));
  }

  private static ImageStore store(long offset, StackFrame... stack) {
    return new ImageStore("pool", offset, 8, "0100000000000000", List.of(stack));
  }

  private static Optional<String> advice(ImageStore early, ImageStore... later) {
    ImageLacks lacks =
        new ImageLacks(
            new FailurePointId(1), 1, "first", "last", Arrays.asList(later), 0, List.of(), false);
    return ImageChanges.UNKNOWN
        .withLacks(Optional.of(lacks))
        .withTooEarly(Optional.of(new EarlyStore("early", early)))
        .advice();
  }

  @Test
  void flagBeforeItsDataShouldBeAdvisedToComeLater() {
    ImageStore flag = store(0, frame("publish", 20), MAIN);

    assertThat(advice(flag, store(64, frame("publish", 21), MAIN)))
        .contains("store and persist the later one first");
    assertThat(advice(flag, store(64, frame("set", 5), frame("publish", 21), MAIN))).isPresent();
  }

  /** To swap them would be to end the transaction before the store. */
  @Test
  void storeThatNoUndoLogCoversShouldBeAdvisedToBeAddedToIt() {
    ImageStore store = store(0, frame("count", 20), MAIN);
    ImageStore end =
        store(64, frame("ulog_set", 3), frame("pmemobj_tx_commit", 5), frame("count", 22), MAIN);

    assertThat(advice(store, end))
        .contains(
            "the later one ends a transaction; add the bytes of the earlier one to its log first");
    assertThat(advice(store, store(64, frame("pmemobj_tx_end", 5), frame("count", 22), MAIN)))
        .isEqualTo(advice(store, end));
    assertThat(
            advice(
                store(0, frame("log_commit", 4), frame("count", 21), MAIN),
                store(64, frame("log_commit", 5), frame("count", 21), MAIN)))
        .contains("store and persist the later one first");
  }

  /** The other order would be as wrong, if the transaction did what the store relies on. */
  @Test
  void storeBehindTheTransactionThatReliesOnItShouldBeAdvisedToComeIntoIt() {
    ImageStore end = store(64, frame("pmemobj_tx_commit", 5), frame("count", 20), MAIN);
    ImageStore otherEnd = store(64, frame("pmemobj_tx_commit", 5), frame("count", 24), MAIN);
    ImageStore store = store(0, frame("count", 22), MAIN);
    ImageStore other = store(128, frame("pmemobj_tx_commit", 9), frame("count", 24), MAIN);

    assertThat(advice(end, store))
        .contains(
            "the earlier one ends a transaction; make the later one in it, behind adding its bytes"
                + " to the log");
    assertThat(advice(end, store, other))
        .contains("both end transactions; let one transaction do what the two do");
    assertThat(advice(end, store, store(8, frame("count", 23), MAIN))).isEmpty();
    assertThat(advice(end, otherEnd)).as("one log, used twice").isEqualTo(advice(end, other));
  }

  /** What an allocator stores is none of the program's log. */
  @Test
  void callOfTheAllocatorShouldBeAdvisedToBeDoneInTheTransaction() {
    StackFrame library = new StackFrame("", "", 0, "libpmemobj.so.1", "0x7");
    StackFrame free = new StackFrame("pmemobj_free", "", 0, "libpmemobj.so.1", "0x9");
    ImageStore early = store(0, library, free, frame("drop", 20), MAIN);
    ImageStore end = store(64, frame("pmemobj_tx_commit", 5), frame("drop", 22), MAIN);

    assertThat(advice(early, end))
        .contains(
            "the later one ends a transaction; call pmemobj_tx_free in it instead of pmemobj_free");
    assertThat(advice(early, store(8, frame("drop", 21), MAIN), end))
        .contains(
            "the last of these ends a transaction; call pmemobj_tx_free in it instead of pmemobj_free");
    assertThat(store(0, frame("pmemobj_tx_free", 3), MAIN).callInTransaction()).isEmpty();
  }

  /** A database writes what two calls put, and recovery may need both. */
  @Test
  void storesOfALibraryShouldBeAdvisedToBeOneTransaction() {
    StackFrame library = new StackFrame("", "", 0, "libdb.so", "0x7");

    assertThat(
            advice(
                store(0, library, frame("order", 20), MAIN),
                store(64, library, frame("order", 21), MAIN)))
        .contains("let one transaction do both, or do the later one first");
    assertThat(
            advice(
                store(0, frame("order", 20), MAIN), store(64, library, frame("order", 21), MAIN)))
        .contains("store and persist the later one first");
  }

  /** The end of a transaction is several stores, and others come before it. */
  @Test
  void endOfTransactionShouldBeRecognisedByTheLastOfSeveralStores() {
    ImageStore store = store(0, frame("count", 20), MAIN);
    ImageStore other = store(8, frame("count", 21), MAIN);
    ImageStore end = store(64, frame("pmemobj_tx_commit", 5), frame("count", 22), MAIN);

    assertThat(advice(store, other, end))
        .contains(
            "the last of these ends a transaction; add the bytes of the store that came too early to"
                + " its log first");
    assertThat(advice(store, end, other)).isEmpty();
  }

  private static MetadataCall call(String kind, String path, String other, int line) {
    return new MetadataCall(kind, path, other, List.of(frame("replace", line), MAIN));
  }

  private static ImageChanges changes(
      MetadataCall early, List<ImageStore> stores, MetadataCall... later) {
    ImageLacks lacks =
        new ImageLacks(
            new FailurePointId(1), 1, "first", "last", stores, 0, Arrays.asList(later), false);
    return new ImageChanges(List.of(), 0, Optional.of(lacks), Optional.empty(), Optional.of(early));
  }

  @Test
  void unlinkBeforeRenameToTheNameShouldBeAdvisedToBeLeftOut() {
    MetadataCall early = call("unlink", "data", "", 20);

    assertThat(changes(early, List.of(), call("rename", "new", "data", 21)).advice())
        .contains("leave out the unlink, as rename replaces a file in one step");
    assertThat(
            changes(
                    early,
                    List.of(store(0, frame("write", 5), MAIN)),
                    call("create", "new", "", 21),
                    call("rename", "new", "data", 22))
                .advice())
        .contains("leave out the unlink, as rename replaces a file in one step");
  }

  /** What has a name cannot be made before that is free. */
  @Test
  void unlinkBeforeTheNameIsMadeAgainShouldBeAdvisedToBecomeARename() {
    MetadataCall early = call("unlink", "current", "", 20);
    String advice =
        "in place of the unlink, make the new one under another name, and rename it to current";

    assertThat(changes(early, List.of(), call("create", "current", "", 21)).advice())
        .contains(advice);
    assertThat(changes(early, List.of(), call("link", "v2", "current", 21)).advice())
        .contains(advice);
    assertThat(changes(early, List.of(), call("link", "v2", "other", 21)).advice())
        .contains("unlink it after that");
  }

  @Test
  void unlinkOfWhatIsStillNamedShouldBeAdvisedToComeLater() {
    MetadataCall early = call("unlink", "table.1", "", 20);

    assertThat(changes(early, List.of(), call("rename", "new", "index", 21)).advice())
        .contains("unlink it after that");
    assertThat(
            changes(
                    early,
                    List.of(store(0, frame("write", 5), MAIN)),
                    call("rename", "new", "index", 21))
                .advice())
        .contains("unlink it after these");
    assertThat(changes(early, List.of(store(0, frame("write", 5), MAIN))).advice()).isEmpty();
    assertThat(
            changes(call("resize", "log", "", 20), List.of(), call("rename", "new", "log", 21))
                .advice())
        .isEmpty();
  }

  @Test
  void changeOfMetadataShouldBeToldWithItsNamesAndPlace() {
    ImageChanges changes =
        changes(call("unlink", "data", "", 20), List.of(), call("rename", "new", "data", 21));

    assertThat(changes.early()).contains("the unlink of data at replace at /src/app.c:20");
    assertThat(changes.stackOfEarly()).isEqualTo(List.of(frame("replace", 20), MAIN));
    assertThat(changes.withoutCall().early()).isEmpty();
    assertThat(call("rename", "new", "data", 21).inWords())
        .isEqualTo("the rename of new to data at replace at /src/app.c:21");
    assertThat(changes.lacks()).map(ImageLacks::inWords).contains("first, which comes later");
    assertThat(
            changes(
                    call("unlink", "data", "", 20),
                    List.of(store(0, MAIN)),
                    call("rename", "new", "data", 21))
                .lacks())
        .map(ImageLacks::inWords)
        .contains("2 changes that come later, from first to last");
  }

  @Test
  void withoutOneOfEachThereShouldBeNoAdvice() {
    ImageStore flag = store(0, frame("publish", 20), MAIN);
    ImageStore data = store(64, frame("publish", 21), MAIN);

    assertThat(advice(flag, data, store(128, frame("publish", 22), MAIN))).isEmpty();
    assertThat(
            ImageChanges.UNKNOWN.withTooEarly(Optional.of(new EarlyStore("early", flag))).advice())
        .isEmpty();
    assertThat(ImageChanges.UNKNOWN.advice()).isEmpty();
  }

  /** It is overwritten, or made by other code: they have no order that can be told. */
  @Test
  void storesThatCannotChangePlacesShouldHaveNoAdvice() {
    ImageStore flag = store(0, frame("publish", 20), MAIN);

    assertThat(advice(flag, store(4, frame("publish", 21), MAIN))).isEmpty();
    assertThat(advice(flag, store(64, frame("worker", 21), frame("thread", 7)))).isEmpty();
    assertThat(advice(flag, store(64, frame("publish", 20), MAIN))).isEmpty();
  }

  private static ImageChanges named(String early, String first, String last) {
    ImageLacks lacks =
        new ImageLacks(
            new FailurePointId(1),
            1,
            first,
            last,
            List.of(store(64, MAIN), store(72, MAIN)),
            0,
            List.of(),
            false);
    return ImageChanges.UNKNOWN
        .withLacks(Optional.of(lacks))
        .withTooEarly(Optional.of(new EarlyStore(early, store(56, MAIN))))
        .withPlacesIfAlike();
  }

  @Test
  void storesOfUnknownNumberShouldBeToldAsAtLeastThese() {
    List<ImageStore> stores = List.of(store(64, MAIN), store(72, MAIN));
    ImageLacks lacks =
        new ImageLacks(new FailurePointId(1), 1, "first", "last", stores, 0, List.of(), false)
            .butAtLeast();

    assertThat(lacks.inWords()).isEqualTo("at least 2 stores that come later, the first is first");
    assertThat(lacks.lastKnown()).isEmpty();
  }

  @Test
  void storesThatReadAlikeShouldBeToldWithTheirBytes() {
    ImageChanges alike = named("the store at nb", "the store at nb", "another");

    assertThat(alike.tooEarly().orElseThrow().inWords())
        .isEqualTo("the store at nb (8 bytes at 0x38 of pool)");
    assertThat(alike.lacks().orElseThrow().inWords())
        .isEqualTo(
            "2 stores that come later, from the store at nb (8 bytes at 0x40 of pool) to another (8"
                + " bytes at 0x48 of pool)");
    assertThat(named("one", "one thing", "two").lacks().orElseThrow().first())
        .isEqualTo("one thing");
  }
}
