/**
 * Asking the oracle about one image: {@code ImageJudge} runs recovery, {@code VerdictCache} has
 * equal images judged once, {@code QuiescentPoints} finds the moments between which contents are
 * compared, {@code NegativeControl} sees to it that the oracle can say no.
 */
@NullMarked
package io.powercut.orchestrator.judging;

import org.jspecify.annotations.NullMarked;
