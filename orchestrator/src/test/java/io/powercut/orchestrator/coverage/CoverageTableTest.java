// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.PowercutException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoverageTableTest {
  @Test
  void columnsShouldBeAlignedAndGrowthBesideTheCounts() {
    List<CoveragePoint> points =
        List.of(
            new CoveragePoint(WorkloadSize.parse("1k"), 200, 0, 1.25),
            new CoveragePoint(WorkloadSize.parse("150k"), 250, 3000, 70),
            new CoveragePoint(WorkloadSize.parse("1m"), 250, 2999, 400.06));

    assertThat(CoverageTable.of(points))
        .containsExactly(
            "unique failure points by granularity, and growth",
            "  operations         persistency               store    seconds",
            "          1k        200                   0                 1.3",
            "        150k        250   +25.0%       3000                70.0",
            "          1m        250    +0.0%       2999    -0.0%      400.1");
  }

  @Test
  void missingGnuplotShouldBeNamedWithItsRemedy() {
    assertThatThrownBy(() -> Gnuplot.find("gnuplot-that-is-not-there"))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("apt-get install gnuplot-nox");
  }
}
