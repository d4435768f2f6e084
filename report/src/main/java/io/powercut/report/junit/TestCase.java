// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.junit;

/**
 * A test as continuous integration knows it.
 *
 * @param group what stands before the name: the campaign and the analysis
 * @param name the same in every run, also after a rebuild, so that a test's history can be shown
 * @param seconds how long it took
 * @param outcome how it ended
 * @param type what went wrong, in a word; empty when it passed
 * @param message in a line
 * @param text all there is to say
 */
record TestCase(
    String group,
    String name,
    double seconds,
    Outcome outcome,
    String type,
    String message,
    String text) {
  /** How a test can end. */
  enum Outcome {
    PASSED,
    /** A finding that fails the run, or nothing was tested. */
    FAILED,
    /** It could not be found out. */
    ERROR,
    /** A finding that is accepted. */
    SKIPPED
  }
}
