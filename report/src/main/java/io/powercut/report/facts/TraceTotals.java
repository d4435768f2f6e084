// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.facts;

/**
 * Instructions of the recorded run.
 *
 * @param stores to persistent memory
 * @param flushes of cache lines
 * @param fences of all kinds
 * @param redundantFlushes flushes that had nothing to do
 * @param redundantFences fences that had nothing to wait for
 */
public record TraceTotals(
    long stores, long flushes, long fences, long redundantFlushes, long redundantFences) {}
