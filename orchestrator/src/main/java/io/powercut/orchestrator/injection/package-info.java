/**
 * Where images come from: {@code RecordedInjection} replays the trace while the target runs, {@code
 * ReExecutedInjection} stops the target before an instruction, again and again. {@code
 * OccurrenceChoice} chooses the occurrences, {@code ImageWorkers} have their images judged.
 */
@NullMarked
package io.powercut.orchestrator.injection;

import org.jspecify.annotations.NullMarked;
