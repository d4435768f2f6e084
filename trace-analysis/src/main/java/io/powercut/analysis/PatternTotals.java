// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

/**
 * How many instructions the analysis looked at: those in its window and outside excluded functions.
 *
 * @param stores to persistent memory; a large one counts once
 * @param flushes of any memory
 * @param fences sfence and mfence; locked instructions have another purpose
 * @param redundantFlushes those of the flushes that are reported as redundant
 * @param redundantFences those of the fences that are reported as redundant
 */
public record PatternTotals(
    long stores, long flushes, long fences, long redundantFlushes, long redundantFences) {}
