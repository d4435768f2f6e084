// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The version is the project's; {@code mvn versions:set} changes it everywhere. */
class VersionTest {
  private static final Path HOME = PowercutHome.find();

  /** As semantic versioning has it, with what Debian and Maven both sort alike. */
  private static final Pattern SEMANTIC = Pattern.compile("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");

  private static String first(Path pom, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(Files.readString(pom));
    assertThat(matcher.find()).as(pom.toString()).isTrue();
    return matcher.group(1);
  }

  private static List<String> all(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(file))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static String version() throws IOException {
    return first(HOME.resolve("pom.xml"), "<artifactId>powercut</artifactId>\\s*<version>(.*?)<");
  }

  @Test
  void versionShouldBeSemantic() throws IOException {
    assertThat(version()).matches(SEMANTIC);
  }

  @Test
  void modulesShouldHaveTheVersionOfTheProject() throws IOException {
    List<Path> poms;
    try (Stream<Path> folders = Files.list(HOME)) {
      poms = folders.map(folder -> folder.resolve("pom.xml")).filter(Files::exists).toList();
    }
    assertThat(poms).hasSizeGreaterThan(10);
    for (Path pom : poms) {
      assertThat(first(pom, "<parent>.*?<version>(.*?)</version>"))
          .as(pom.toString())
          .isEqualTo(version());
    }
  }

  @Test
  void whatOtherBuildsNameShouldHaveTheVersionOfTheProject() throws IOException {
    assertThat(first(HOME.resolve("pytest/pyproject.toml"), "\nversion = \"(.*?)\""))
        .isEqualTo(version());
    for (String place :
        List.of("examples/counter/pom.xml", "examples/journal/pom.xml", "docs/integrations.md")) {
      assertThat(
              all(
                  HOME.resolve(place),
                  "<artifactId>powercut-[a-z-]+</artifactId>\\s*<version>(.*?)<"))
          .as(place)
          .isNotEmpty()
          .containsOnly(version());
    }
  }

  @Test
  void changesShouldBeginWithIt() throws IOException {
    assertThat(Files.readString(HOME.resolve("CHANGELOG.md")))
        .startsWith("# Changes\n\n## " + version().replace("-SNAPSHOT", ""));
  }
}
