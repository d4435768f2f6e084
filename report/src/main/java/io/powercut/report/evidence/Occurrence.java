// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;

/**
 * One occurrence of a failure point: where an image is taken.
 *
 * @param id the failure point
 * @param number which of its occurrences, from 1
 * @param order in which order of threads: 0 for that of the recorded run, else the number of the
 *     one in which a writer was held, or threads took turns
 */
public record Occurrence(FailurePointId id, long number, int order) {
  /** One of the recorded run. */
  public Occurrence(FailurePointId id, long number) {
    this(id, number, 0);
  }

  /** The end of the run. */
  public static final Occurrence END = new Occurrence(FailurePoint.END_OF_RUN.id(), 1);

  /** Whether it is the end of the run. */
  @JsonIgnore
  public boolean isEnd() {
    return equals(END);
  }

  // Written out, as replaying a trace looks up millions: those of a record are slow until the
  // optimising compiler has come to them.
  @Override
  public boolean equals(Object other) {
    return other instanceof Occurrence one
        && one.number == number
        && one.order == order
        && one.id.equals(id);
  }

  @Override
  public int hashCode() {
    return 31 * id.hashCode() + Long.hashCode(number) + order;
  }
}
