// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Holds that the classes a campaign is made of are used by a test that runs no campaign. Those that
 * are not have a reason here; the list must not grow.
 */
class UnitTestsTest {
  private static final Path SOURCES = Path.of("src/main/java/io/powercut/orchestrator");
  private static final String PACKAGE = "io.powercut.orchestrator.";
  private static final int SMALL = 20;

  private static final List<String> PACKAGES =
      List.of(
          "session",
          "code",
          "target",
          "recovery",
          "judging",
          "exploration",
          "searches",
          "nestedcrash",
          "injection",
          "assembly",
          "strength",
          "run",
          "replay",
          "verify");

  private static final String COMPOSITION = "puts the parts of a run together, and runs them";

  /** Classes without a unit test, with the reason. */
  private static final Map<String, String> WITHOUT =
      Map.ofEntries(
          entry("run.CampaignRun", COMPOSITION),
          entry("run.RecordRun", COMPOSITION),
          entry("run.TreeRun", COMPOSITION),
          entry("replay.Replay", COMPOSITION),
          entry("strength.Mutants", COMPOSITION),
          entry("strength.Strength", COMPOSITION),
          entry("verify.InjectionComparison", COMPOSITION),
          entry("verify.Verification", COMPOSITION));

  @Test
  void classesShouldBeUsedByATestWithoutACampaign() throws IOException {
    Set<String> untested = new TreeSet<>();
    Set<String> used = used();
    for (String name : PACKAGES) {
      try (Stream<Path> files = Files.list(SOURCES.resolve(name))) {
        for (Path file : files.toList()) {
          String one = name + "." + file.getFileName().toString().replace(".java", "");
          if (!one.endsWith("package-info") && lines(file) >= SMALL && !used.contains(one)) {
            untested.add(one);
          }
        }
      }
    }
    assertThat(untested).isEqualTo(new TreeSet<>(WITHOUT.keySet()));
  }

  private static long lines(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    }
  }

  private static Set<String> used() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
            .importPackages("io.powercut.orchestrator")
            .stream()
            .filter(one -> !runsCampaigns(one))
            .flatMap(one -> one.getDirectDependenciesFromSelf().stream())
            .map(Dependency::getTargetClass)
            .map(UnitTestsTest::topLevel)
            .map(JavaClass::getName)
            .filter(name -> name.startsWith(PACKAGE))
            .map(name -> name.substring(PACKAGE.length()))
            .collect(Collectors.toSet());
  }

  private static boolean runsCampaigns(JavaClass one) {
    JavaClass top = topLevel(one);
    return top.getPackageName().equals(PACKAGE + "it")
        || top.tryGetAnnotationOfType(Tag.class)
            .map(tag -> tag.value().equals("campaign"))
            .orElse(false);
  }

  private static JavaClass topLevel(JavaClass one) {
    return one.getEnclosingClass().map(UnitTestsTest::topLevel).orElse(one);
  }
}
