// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The class path that users have. Tests have Maven's, which holds libraries for tests as well, so a
 * library that is missing for users fails no test.
 */
class ClassPathTest {
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
  private static final Path HOME = PowercutHome.find();

  private static Set<String> libraries(String module, boolean forTests) throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher dependencies =
        DEPENDENCY.matcher(Files.readString(HOME.resolve(module).resolve("pom.xml")));
    while (dependencies.find()) {
      String text = dependencies.group(1);
      Matcher artifact = ARTIFACT.matcher(text);
      if (text.contains("<scope>test</scope>") == forTests
          && !text.contains("<type>test-jar</type>")
          && artifact.find()) {
        names.add(artifact.group(1));
      }
    }
    return names;
  }

  /** What the orchestrator calls a library for tests is one in no module that users run. */
  @Test
  void librariesOfModulesShouldNotBeForTestsAlone() throws IOException {
    Set<String> left = libraries("orchestrator", true);
    Set<String> needed = new TreeSet<>();
    Matcher modules =
        Pattern.compile("<module>(.*?)</module>")
            .matcher(Files.readString(HOME.resolve("pom.xml")));
    while (modules.find()) {
      needed.addAll(libraries(modules.group(1), false));
    }

    assertThat(needed).contains("awaitility", "picocli").doesNotContainAnyElementsOf(left);
  }
}
