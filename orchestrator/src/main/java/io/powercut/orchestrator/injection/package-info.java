/**
 * Where images come from: {@code RecordedInjection} replays the trace while the target runs, {@code
 * ReExecutedInjection} stops the target before an instruction, again and again.
 *
 * <p>Recorded injection is a {@code RecordingPass} and, when the run is over, some passes over the
 * stored trace ({@code StoredPass}). {@code OccurrenceChoice} chooses the occurrences; {@code
 * OccurrenceInjection} decides what is still to be judged there, and {@code ImageWorkers} judge it.
 */
@NullMarked
package io.powercut.orchestrator.injection;

import org.jspecify.annotations.NullMarked;
