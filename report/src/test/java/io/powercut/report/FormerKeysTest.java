// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Files of runs whose keys had other names. */
class FormerKeysTest {
  private static final ReportedRun RUN = SampleRuns.withFindings(Path.of("/runs/sample"));

  private static String withFormerKeys(String json) {
    return json.replace("\"occurrence\":", "\"visit\":")
        .replace("\"recoveryCrash\":", "\"second\":")
        .replace("\"recoveryCrashes\":", "\"secondCrashes\":");
  }

  @Test
  void reportShouldBeRead() throws JsonProcessingException {
    String json = Json.line(RUN.report());
    String former = withFormerKeys(json);

    assertThat(former).contains("\"visit\":", "\"second\":", "\"secondCrashes\":");
    assertThat(Json.line(Json.parse(former, Report.class))).isEqualTo(json);
  }

  @Test
  void verdictShouldBeRead() throws JsonProcessingException {
    Judgement judgement = RUN.verdicts().values().iterator().next();
    String former = withFormerKeys(Json.line(judgement));

    assertThat(former).contains("\"visit\":");
    assertThat(Json.parse(former, Judgement.class)).isEqualTo(judgement);
  }
}
