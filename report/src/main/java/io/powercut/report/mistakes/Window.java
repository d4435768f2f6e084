// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

/**
 * A part of the trace between two points whose program-order images were judged consistent.
 *
 * @param number from 0
 * @param begin where in the trace recovery succeeded last; -1 before the first such point
 */
public record Window(int number, long begin) {}
