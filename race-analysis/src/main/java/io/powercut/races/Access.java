// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

/**
 * Something that a thread did: a store, a load, or what persists a store.
 *
 * @param ordinal its place in the trace
 * @param code what did it
 * @param moment the thread at that time
 */
record Access(long ordinal, Code code, Moment moment) {
  /** The place of the code, by number. */
  int place() {
    return code.place();
  }

  int thread() {
    return moment.thread();
  }

  /** Where its region begins: at the acquire before it (Vardalith, definition 2). */
  long regionBegin() {
    return moment.acquired();
  }

  /** Where its region ends: at the release behind it, as far as there is one yet. */
  long regionEnd() {
    return moment.untilRelease().ordinal();
  }

  /** Whether it happens before something later in the trace, if locks do not order. */
  boolean isBefore(Access later) {
    return thread() == later.thread()
        ? ordinal < later.ordinal
        : moment.order().of(thread()) <= later.moment.order().of(thread());
  }

  /** The same, if locks do. */
  boolean isFullyBefore(Access later) {
    return thread() == later.thread()
        ? ordinal < later.ordinal
        : moment.fullOrder().of(thread()) <= later.moment.fullOrder().of(thread());
  }
}
