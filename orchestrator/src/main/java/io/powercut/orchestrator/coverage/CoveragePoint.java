// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.coverage;

/**
 * What a workload of one size reaches.
 *
 * @param size of the workload
 * @param persistency unique failure points of granularity {@code persistency}: at flushes, fences
 *     and what has a fence's effect
 * @param store unique failure points of granularity {@code store}: these, and those at stores
 * @param seconds how long set-up and recorded run took
 */
public record CoveragePoint(WorkloadSize size, int persistency, int store, double seconds) {}
