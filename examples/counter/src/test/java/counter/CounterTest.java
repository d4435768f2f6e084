// SPDX-License-Identifier: Apache-2.0
package counter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.powercut.api.Campaign;
import io.powercut.api.Outcome;
import io.powercut.api.Powercut;
import io.powercut.junit.CrashTest;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CounterTest {
  @CrashTest("counter.yaml")
  void counterShouldSurviveAPowerCut() {}

  @CrashTest(value = "counter.yaml", set = "parameters.variant=bug")
  void bugShouldBeFound(Outcome outcome) {
    assertEquals(1, outcome.exitCode(), outcome::describe);
  }

  @Test
  void campaignShouldBePutTogetherInCode() {
    Campaign campaign =
        Campaign.named("counter-in-code", Path.of(""))
            .target("build/counter", "run", "{pm}", "correct")
            .recovery("build/counter", "check", "{pm}", "{acknowledged}")
            .with("crashStates", Map.of("limit", 20));
    Powercut.installed().run(campaign).requireClean();
  }
}
