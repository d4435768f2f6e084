/**
 * Running a campaign, from the build of the target to the verdict on the last image. Read it from
 * the classes that others call:
 *
 * <ul>
 *   <li>{@code CampaignRun} is {@code powercut run}. Under it, {@code Session} and {@code
 *       RunContext} hold what all parts need, {@code Preparation} builds and sets up, {@code
 *       InstrumentedRun} runs the target under the recorder and reads its trace.
 *   <li>Images come from {@code RecordedInjection}, which replays the trace while the target runs,
 *       or from {@code ReExecutedInjection}, which stops the target in front of an instruction.
 *   <li>{@code ImageJudge} asks recovery; {@code ImageWorkers} do that for many images at a time,
 *       and {@code KnownImages} for equal ones once.
 *   <li>{@code StateExplorer} judges the crash states beside a consistent image, and names who is
 *       to blame; {@code UnreadLines} leaves out what recovery does not read.
 *   <li>{@code AcknowledgedLog} keeps what the target has told the world; {@code QuietPoints} finds
 *       the moments between which contents are compared.
 *   <li>{@code SecondCrashes} cuts recovery itself, which {@code RecordedRecovery} follows.
 *   <li>{@code Replay} is {@code powercut replay}, {@code TwoWays} what {@code powercut verify}
 *       compares, {@code TreeRun} a run without verdicts, and {@code PlantedBugs} what {@code
 *       powercut strength} tries.
 * </ul>
 */
@NullMarked
package io.powercut.orchestrator.run;

import org.jspecify.annotations.NullMarked;
