package io.powercut.orchestrator.results;

import io.powercut.tree.FailurePointId;

/**
 * One visit of a failure point: where an image is taken.
 *
 * @param id the failure point
 * @param number which of its visits, from 1
 */
public record Visit(FailurePointId id, long number) {}
