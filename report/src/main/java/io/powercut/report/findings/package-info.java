/**
 * What counts as one finding: crashes are grouped, merged with warnings of the trace, compared with
 * the baseline, and made a {@code Report}. {@code ReportBuilder} does it from the files of a run
 * alone; {@code ProofCheck} holds that nothing proved is missing.
 */
@NullMarked
package io.powercut.report.findings;

import org.jspecify.annotations.NullMarked;
