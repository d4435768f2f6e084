// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench;
import io.powercut.orchestrator.run.TreeRun;
import io.powercut.orchestrator.session.Progress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.w3c.dom.Document;

@Tag("campaign")
class CoverageCommandTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with("pmdk");

  private static Path campaign;

  @BeforeAll
  static void build() {
    campaign = Workbench.home().resolve("configs/pmdk-hashmap-atomic.yaml");
  }

  private static Workbench.Said coverage(String... more) {
    String[] fixed = {
      "coverage",
      campaign.toString(),
      "--set",
      "build=null",
      "--set",
      "pm.directory=" + workbench.pm()
    };
    String[] all = Arrays.copyOf(fixed, fixed.length + more.length);
    System.arraycopy(more, 0, all, fixed.length, more.length);
    return Workbench.powercut(all);
  }

  private static List<CoveragePoint> measure(String... sizes) {
    return Arrays.stream(sizes)
        .map(WorkloadSize::parse)
        .map(
            size ->
                CoverageRun.measure(
                    workbench.load(
                        campaign,
                        List.of(
                            "build=null",
                            "failurePoints.granularity=store",
                            "parameters.operations=" + size.operations())),
                    size,
                    Progress.SILENT))
        .toList();
  }

  @Test
  void tableAndPlotsShouldShowEverySizeInOrder() throws Exception {
    Path svg = workbench.directory().resolve("coverage.svg");

    Workbench.Said said = coverage("--operations", "60,5,60", "--svg", svg.toString());

    assertThat(said.exitCode()).as(said.errors()).isZero();
    List<String> table = said.output().lines().limit(5).toList();
    assertThat(table.get(1)).contains("operations", "persistency", "store", "seconds");
    assertThat(table.get(2)).startsWith("           5 ");
    assertThat(table.get(3)).startsWith("          60 ").contains("+");
    assertThat(table.get(4)).isEmpty();
    assertThat(said.output()).contains("unique failure points, granularity persistency", "o***");
    Document drawing =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
    assertThat(drawing.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(drawing.getDocumentElement().getTextContent())
        .contains("pmdk-hashmap-atomic", "granularity store");
  }

  @Test
  void largerWorkloadShouldReachMore() {
    List<CoveragePoint> points = measure("5", "20", "80");

    assertThat(points).extracting(CoveragePoint::persistency).isSorted();
    assertThat(points).extracting(CoveragePoint::store).isSorted().doesNotHaveDuplicates();
    assertThat(points).allMatch(point -> point.store() > point.persistency());
  }

  @Test
  void oneRunShouldCountWhatARunOfEachGranularityDoes() {
    CoveragePoint point = measure("20").get(0);

    assertThat(point.persistency()).isEqualTo(treeSize("persistency"));
    assertThat(point.store()).isEqualTo(treeSize("store"));
  }

  private static int treeSize(String granularity) {
    return TreeRun.of(
            workbench.load(
                campaign,
                List.of(
                    "build=null",
                    "failurePoints.granularity=" + granularity,
                    "parameters.operations=20")),
            Progress.SILENT)
        .size();
  }

  @Test
  void missingParameterShouldBeNamedWithThoseThereAre() {
    Workbench.Said said = coverage("--parameter", "puts-and-gets");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("no parameter 'puts-and-gets'", "operations, ");
  }

  @Test
  void sizeThatIsNoneShouldBeNamed() {
    Workbench.Said said = coverage("--operations", "5k,lots");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("'lots' is not a workload size", "5k or 1m");
  }

  @Test
  void folderThatIsNotThereShouldBeToldBeforeAnythingIsRun() {
    Workbench.Said said = coverage("--operations", "5", "--svg", "/nowhere/plot.svg");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("/nowhere does not exist").doesNotContain("setting up");
  }
}
