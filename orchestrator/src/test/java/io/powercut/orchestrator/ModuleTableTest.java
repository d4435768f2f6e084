// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the table of modules and the order of packages: who may use whom. */
class ModuleTableTest {
  private static final String PREFIX = "io.powercut.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.powercut");

  @Test
  void modulesShouldOnlyUseWhatTheTableAllows() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("io.powercut..")
        .layer("process-control")
        .definedBy("io.powercut.process..", "io.powercut.exit..")
        .layer("failure-point-tree")
        .definedBy("io.powercut.tree..")
        .layer("trace")
        .definedBy("io.powercut.trace..")
        .layer("recorder")
        .definedBy("io.powercut.recorder..")
        .layer("persistency-model")
        .definedBy("io.powercut.persistency..")
        .layer("pm-image-manager")
        .definedBy("io.powercut.image..")
        .layer("recovery-oracle")
        .definedBy("io.powercut.oracle..")
        .layer("trace-analysis")
        .definedBy("io.powercut.analysis..")
        .layer("race-analysis")
        .definedBy("io.powercut.races..")
        .layer("campaign")
        .definedBy("io.powercut.campaign..")
        .layer("report")
        .definedBy("io.powercut.report..")
        .layer("powercut-api")
        .definedBy("io.powercut.api..")
        .layer("orchestrator")
        .definedBy("io.powercut.orchestrator..")
        .whereLayer("process-control")
        .mayNotAccessAnyLayer()
        .whereLayer("failure-point-tree")
        .mayNotAccessAnyLayer()
        .whereLayer("trace")
        .mayOnlyAccessLayers("process-control", "failure-point-tree")
        .whereLayer("recorder")
        .mayOnlyAccessLayers("process-control", "failure-point-tree", "trace")
        .whereLayer("persistency-model")
        .mayOnlyAccessLayers("trace", "failure-point-tree")
        .whereLayer("pm-image-manager")
        .mayOnlyAccessLayers("persistency-model", "trace", "process-control")
        .whereLayer("recovery-oracle")
        .mayOnlyAccessLayers("process-control", "failure-point-tree")
        .whereLayer("trace-analysis")
        .mayOnlyAccessLayers("persistency-model", "trace", "failure-point-tree")
        .whereLayer("race-analysis")
        .mayOnlyAccessLayers("persistency-model", "trace", "failure-point-tree")
        .whereLayer("campaign")
        .mayOnlyAccessLayers(
            "process-control",
            "failure-point-tree",
            "trace",
            "persistency-model",
            "pm-image-manager",
            "trace-analysis",
            "race-analysis")
        .whereLayer("report")
        .mayOnlyAccessLayers(
            "process-control",
            "failure-point-tree",
            "recovery-oracle",
            "trace-analysis",
            "campaign")
        .whereLayer("powercut-api")
        .mayNotAccessAnyLayer()
        .whereLayer("orchestrator")
        .mayNotBeAccessedByAnyLayer()
        .check(CLASSES);
  }

  /** All packages. Each may use those before it, and no other. */
  private static final List<String> ORDER =
      List.of(
          "api",
          "exit",
          "process",
          "tree.language",
          "tree.source",
          "tree",
          "trace",
          "trace.file",
          "trace.replay",
          "recorder",
          "persistency",
          "persistency.scratch",
          "persistency.ranges",
          "persistency.lines",
          "persistency.states",
          "persistency.changes",
          "persistency.blame",
          "persistency.choice",
          "image.files",
          "image.pages",
          "image",
          "oracle.reads",
          "oracle.server",
          "oracle",
          "analysis",
          "races.found",
          "races",
          "campaign.input",
          "campaign.template",
          "campaign.locks",
          "campaign.yaml",
          "campaign.binding",
          "campaign.process",
          "campaign.dataraces",
          "campaign.sections",
          "campaign",
          "campaign.loading",
          "report.format",
          "report.evidence",
          "report.facts",
          "report.rundir",
          "report.identity",
          "report.knowledge",
          "report.mistakes",
          "report.findings",
          "report",
          "report.html",
          "report.junit",
          "report.sarif",
          "report.history",
          "report.sweep",
          "report.history.html",
          "orchestrator.exit",
          "orchestrator.installation",
          "orchestrator.code",
          "orchestrator.session",
          "orchestrator.untested",
          "orchestrator.differences",
          "orchestrator.target",
          "orchestrator.recovery",
          "orchestrator.dump",
          "orchestrator.timeline",
          "orchestrator.judging",
          "orchestrator.reads",
          "orchestrator.metadata",
          "orchestrator.searches",
          "orchestrator.exploration",
          "orchestrator.nestedcrash",
          "orchestrator.injection",
          "orchestrator.recording",
          "orchestrator.dataraces",
          "orchestrator.assembly",
          "orchestrator.races",
          "orchestrator.strength",
          "orchestrator.run",
          "orchestrator.distribution",
          "orchestrator.sweep",
          "orchestrator.replay",
          "orchestrator.verify",
          "orchestrator.coverage",
          "orchestrator.doctor",
          "orchestrator.inspection",
          "orchestrator.engine",
          "orchestrator.cli.progress",
          "orchestrator.cli.events",
          "orchestrator.cli.manual",
          "orchestrator.cli.recording",
          "orchestrator.cli",
          "orchestrator");

  private static final int MOST_CLASSES = 25;
  private static final int MOST_PARAMETERS = 6;

  @Test
  void packagesShouldUseOnlyThoseBeforeThem() {
    classes().should(USE_EARLIER_PACKAGES).check(CLASSES);
  }

  private static final ArchCondition<JavaClass> USE_EARLIER_PACKAGES =
      new ArchCondition<>("use only packages that are before theirs in the list") {
        @Override
        public void check(JavaClass user, ConditionEvents events) {
          for (Dependency use : user.getDirectDependenciesFromSelf()) {
            int used = place(use.getTargetClass());
            if (used >= 0) {
              events.add(new SimpleConditionEvent(user, used <= place(user), use.getDescription()));
            }
          }
          events.add(
              new SimpleConditionEvent(
                  user, place(user) >= 0, user.getPackageName() + " is not in the list"));
        }
      };

  /** Where a class's package is in the list; -1 if it is not Powercut's. */
  private static int place(JavaClass one) {
    String name = one.getPackageName();
    return name.startsWith(PREFIX) ? ORDER.indexOf(name.substring(PREFIX.length())) : -1;
  }

  /** What each class needs is in its constructor, so that it can be tested alone. */
  @Test
  void onlyWhatAssemblesARunShouldSeeAllOfIt() {
    Set<String> users =
        CLASSES.stream()
            .filter(ModuleTableTest::usesTheWholeRun)
            .map(one -> topLevel(one).getName().substring((PREFIX + "orchestrator.").length()))
            .collect(Collectors.toSet());
    assertThat(users).isEqualTo(COMPOSITION);
  }

  /** The classes that own a session, and those that it and its parts are made of. */
  private static final Set<String> COMPOSITION =
      Set.of(
          "session.Session",
          "assembly.RunParts",
          "races.RaceSearch",
          "races.RaceRuns",
          "races.OrderedRun",
          "run.CampaignRun",
          "run.RecordRun",
          "run.TreeRun",
          "replay.Replay",
          "strength.Mutants",
          "verify.InjectionComparison");

  private static boolean usesTheWholeRun(JavaClass one) {
    return one.getDirectDependenciesFromSelf().stream()
        .map(use -> use.getTargetClass().getSimpleName())
        .anyMatch(Set.of("RunContext", "RunParts")::contains);
  }

  private static JavaClass topLevel(JavaClass one) {
    return one.getEnclosingClass().map(ModuleTableTest::topLevel).orElse(one);
  }

  @Test
  void constructorsShouldHaveFewParameters() {
    assertThat(
            CLASSES.stream()
                .filter(one -> one.getPackageName().startsWith(PREFIX + "orchestrator"))
                .filter(one -> !one.isRecord())
                .flatMap(one -> one.getConstructors().stream())
                .filter(one -> one.getRawParameterTypes().size() > MOST_PARAMETERS)
                .map(one -> one.getOwner().getName()))
        .isEmpty();
  }

  @Test
  void packagesShouldBeSmall() {
    Map<String, Long> sizes =
        CLASSES.stream()
            .filter(one -> one.isTopLevelClass() && !one.getSimpleName().equals("package-info"))
            .filter(one -> !one.getSimpleName().startsWith("Jte"))
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    assertThat(sizes)
        .allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(MOST_CLASSES));
  }

  @Test
  void packagesShouldBeFreeOfCycles() {
    slices().matching("io.powercut.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void errorProneShouldSeeTheSourcesOfEachModule() throws IOException {
    Path home = PowercutHome.find();
    String checked = Files.readString(home.resolve("error-prone/pom.xml"));
    List<String> roots =
        Pattern.compile("<module>(.*)</module>")
            .matcher(Files.readString(home.resolve("pom.xml")))
            .results()
            .flatMap(
                found -> Stream.of("/src/main/java", "/src/test/java").map(found.group(1)::concat))
            .filter(root -> Files.isDirectory(home.resolve(root)))
            // It needs Apache Spark. `./test --spark` compiles it with Error Prone.
            .filter(root -> !root.startsWith("powercut-spark/"))
            .toList();
    assertThat(roots)
        .hasSizeGreaterThan(20)
        .allSatisfy(root -> assertThat(checked).contains("/" + root + "<"));
  }
}
