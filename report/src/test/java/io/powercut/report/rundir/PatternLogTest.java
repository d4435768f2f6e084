// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.analysis.PatternKind;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.facts.TraceTotals;
import io.powercut.report.format.Json;
import io.powercut.tree.Severity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PatternLogTest {
  private static final StackFrame MAIN = new StackFrame("main", "/src/a.c", 9, "app", "0x9");

  private static PatternLog.Pattern pattern(String fingerprint, StackFrame... places) {
    List<TraceEvidence.Place> all = new ArrayList<>();
    for (StackFrame place : places) {
      all.add(new TraceEvidence.Place("store", "clwb", List.of(place, MAIN)));
    }
    TraceEvidence evidence =
        new TraceEvidence(
            PatternKind.REDUNDANT_FLUSH,
            Severity.PERFORMANCE,
            "seen",
            all,
            7,
            Optional.of(0.5),
            "pool",
            64);
    return new PatternLog.Pattern(fingerprint, evidence);
  }

  @Test
  void fileShouldHoldEachStackAndEachFrameOnce() throws IOException {
    StackFrame append = new StackFrame("append", "/src/a.c", 3, "app", "0x3");
    StackFrame flush = new StackFrame("", "", 0, "libpmem.so.1", "0x5");
    PatternLog log =
        new PatternLog(
            new TraceTotals(1, 2, 3, 4, 5),
            List.of(pattern("one", append, flush), pattern("two", flush, append, append)));

    String text = Json.line(log);

    assertThat(Json.parse(text, PatternLog.class)).isEqualTo(log);
    assertThat(text.split("/src/a.c", -1)).hasSize(3); // once for append, once for main
    assertThat(text).contains("\"stacks\":[[0,1],[2,1]]");
  }
}
