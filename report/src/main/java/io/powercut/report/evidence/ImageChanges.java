// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Optional;

/**
 * What changed between one failure point and the one before it: what an image has that the image
 * before it had not.
 *
 * @param stores the last of them, in the order in which they were made
 * @param more how many more there were before these
 * @param lacks what the image has not that the next consistent one has; nothing when there is none
 * @param tooEarly a store that the image has, and without which recovery succeeds; nothing when
 *     none is known
 * @param call a change of metadata that is all the image has and the one before it had not, where
 *     recovery succeeds on that; of a crash state, all it has if what it lost is not counted;
 *     nothing in other cases, and in older runs
 */
public record ImageChanges(
    List<ImageStore> stores,
    long more,
    Optional<ImageLacks> lacks,
    Optional<EarlyStore> tooEarly,
    Optional<MetadataCall> call) {
  /** Nothing is known of them. */
  public static final ImageChanges UNKNOWN =
      new ImageChanges(List.of(), 0, Optional.empty(), Optional.empty(), Optional.empty());

  private static final String LATER_FIRST = "store and persist the later one first";

  private static final String INTO_TRANSACTION =
      "the earlier one ends a transaction; make the later one in it, behind adding its bytes to the"
          + " log";

  /** Of a crash state: a change of metadata that takes effect before what the state lost. */
  public static ImageChanges ofCall(MetadataCall call) {
    return new ImageChanges(List.of(), 0, Optional.empty(), Optional.empty(), Optional.of(call));
  }

  /** Whether no more is known than a change of metadata. */
  @JsonIgnore
  public boolean isOnlyCall() {
    return call.isPresent() && equals(ofCall(call.get()));
  }

  /** Copies the list. */
  public ImageChanges {
    stores = List.copyOf(stores);
    call = call == null ? Optional.empty() : call;
  }

  /** The same with what the image lacks. */
  public ImageChanges withLacks(Optional<ImageLacks> known) {
    return new ImageChanges(stores, more, known, tooEarly, call);
  }

  /**
   * The same where recovery does not succeed without the change of metadata, or is not known to.
   */
  public ImageChanges withoutCall() {
    return new ImageChanges(stores, more, lacks, tooEarly, Optional.empty());
  }

  /** What it has too early, in words: recovery succeeds without it. */
  Optional<String> early() {
    return tooEarly.map(EarlyStore::inWords).or(() -> call.map(MetadataCall::inWords));
  }

  /** Who made what it has too early, innermost first; empty if that is not known. */
  @JsonIgnore
  public List<StackFrame> stackOfEarly() {
    return tooEarly
        .map(early -> early.store().stack())
        .or(() -> call.map(MetadataCall::stack))
        .orElse(List.of());
  }

  /**
   * The same with the bytes of the stores where one that it has and one that it lacks read alike.
   */
  ImageChanges withPlacesIfAlike() {
    boolean isAlike =
        tooEarly
            .filter(early -> lacks.filter(one -> one.isNamedLike(early)).isPresent())
            .isPresent();
    return isAlike
        ? new ImageChanges(
            stores,
            more,
            lacks.map(ImageLacks::withPlaces),
            tooEarly.map(EarlyStore::withPlace),
            call)
        : this;
  }

  /**
   * What to do about it, in words: nothing unless one store or unlink is too early, and one
   * function made it before what is missing. Of a store, that is one store, or ends a transaction.
   * Recovery succeeds without the first and with all; whether it does with what is missing alone is
   * not tried.
   */
  @JsonIgnore
  public Optional<String> advice() {
    return tooEarly
        .map(EarlyStore::store)
        .flatMap(early -> lacks.flatMap(missing -> advice(early, missing)))
        .or(() -> call.flatMap(early -> lacks.flatMap(missing -> missing.adviceAfter(early))));
  }

  /** Whether the advice is another order, which does not persist the store that is too early. */
  @JsonIgnore
  public boolean isToBeReordered() {
    return tooEarly.isPresent() && advice().filter(LATER_FIRST::equals).isPresent();
  }

  /** The store behind a transaction that has to come into it: that persists it, too. */
  @JsonIgnore
  public Optional<ImageStore> behindTransaction() {
    return advice()
        .filter(INTO_TRANSACTION::equals)
        .flatMap(unused -> lacks)
        .flatMap(ImageLacks::lastKnown);
  }

  private static Optional<String> advice(ImageStore early, ImageLacks missing) {
    return missing
        .lastKnown()
        .filter(last -> last.isOfOneFunctionWith(early))
        .filter(last -> !last.overlaps(early) || endTransactions(early, last))
        .flatMap(
            last ->
                early.isBesideTransactionOf(last)
                    ? Optional.of(inTransaction(early, missing.isOne()))
                    : early.endsPmdkTransaction()
                        ? behindTransaction(early, last, missing.isOne())
                        : missing.isOne() ? Optional.of(inOrder(early, last)) : Optional.empty());
  }

  /** They may do so in one log, which is cleared for each of them. */
  private static boolean endTransactions(ImageStore early, ImageStore last) {
    return early.endsPmdkTransaction() && last.endsPmdkTransaction();
  }

  /** What a transaction did relies on what comes behind it: neither may be there alone. */
  private static Optional<String> behindTransaction(
      ImageStore early, ImageStore last, boolean isOne) {
    if (endTransactions(early, last)) {
      return Optional.of("both end transactions; let one transaction do what the two do");
    }
    return isOne ? Optional.of(INTO_TRANSACTION) : Optional.empty();
  }

  /** What ends a transaction cannot come before what the transaction is about. */
  private static String inTransaction(ImageStore early, boolean isOne) {
    String which = isOne ? "the earlier one" : "the store that came too early";
    return (isOne ? "the later one" : "the last of these")
        + " ends a transaction; "
        + early.callInTransaction().orElse("add the bytes of " + which + " to its log first");
  }

  /** Who calls a library that stores may use its transactions; it may need both at once. */
  private static String inOrder(ImageStore early, ImageStore last) {
    return early.isOfLibrary() && last.isOfLibrary()
        ? "let one transaction do both, or do the later one first"
        : LATER_FIRST;
  }

  /** Which later stores overwrite what is too early, such as one that releases a lock. */
  List<ImageStore> thatTakeItBack() {
    return tooEarly.map(EarlyStore::store).stream()
        .flatMap(
            early ->
                lacks.stream()
                    .flatMap(later -> later.stores().stream())
                    .filter(later -> later.overlaps(early)))
        .toList();
  }

  /** The same with the store that is there too early. */
  public ImageChanges withTooEarly(Optional<EarlyStore> known) {
    return new ImageChanges(stores, more, lacks, known, call);
  }
}
