package io.powercut.orchestrator.rundir;

import io.powercut.orchestrator.evidence.Judgement;
import io.powercut.orchestrator.evidence.SecondCut;

/**
 * A bug in recovery: what a power cut in it left, recovery cannot cope with.
 *
 * @param fingerprint of recovery's functions where it was cut
 * @param cut where that was
 * @param judgement what recovery made of it; its failure point is that of the first cut
 */
public record SecondFinding(String fingerprint, SecondCut cut, Judgement judgement) {}
