// SPDX-License-Identifier: Apache-2.0
package io.powercut.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.powercut.api.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class CrashTestExtensionTest {
  private static final String COMMAND = "powercut.command";

  @TempDir Path folder = Path.of("");

  /** What the tests below have come to. */
  private static String reached = "";

  @BeforeEach
  void install() throws IOException {
    Path command = folder.resolve("powercut");
    Files.writeString(
        command,
        """
        #!/bin/sh
        printf '%%s ' "$@" >%s/arguments
        [ "$2" = clean.yaml ] && exit 0
        echo '{"event":"finding","severity":"BUG","kind":"CRASHED","title":"it crashed","fails":true,"replay":"powercut replay r f1"}'
        exit 1
        """
            .formatted(folder));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    System.setProperty(COMMAND, command.toString());
    reached = "";
  }

  @AfterEach
  void forget() {
    System.clearProperty(COMMAND);
  }

  /** Only run by the tests above: its name is none that surefire looks for. */
  static class Tests {
    @CrashTest("clean.yaml")
    void clean() {
      reached = "clean";
    }

    @CrashTest("bug.yaml")
    void buggy() {
      reached = "buggy";
    }

    @CrashTest(value = "bug.yaml", set = "parameters.n=1")
    void asked(Outcome outcome) {
      reached = outcome.failures().get(0).title();
    }

    @CrashTest(value = "bug.yaml", set = "parameters.n")
    void wrong() {
      reached = "wrong";
    }
  }

  private static TestExecutionResult run(String method) {
    Results results = new Results();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(List.of(selectMethod(Tests.class.getName() + "#" + method)))
                .build(),
            results);
    return results.last;
  }

  private static final class Results implements TestExecutionListener {
    private TestExecutionResult last = TestExecutionResult.aborted(null);

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        last = result;
      }
    }
  }

  private static String failure(TestExecutionResult result) {
    return result.getThrowable().map(Throwable::getMessage).orElse("");
  }

  @Test
  void cleanRunShouldGoOnWithTheMethod() {
    assertThat(run("clean()").getStatus()).isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
    assertThat(reached).isEqualTo("clean");
  }

  @Test
  void bugShouldFailTheTestWithItsReplay() {
    TestExecutionResult result = run("buggy()");

    assertThat(result.getStatus()).isEqualTo(TestExecutionResult.Status.FAILED);
    assertThat(failure(result)).contains("BUG crashed  it crashed", "replay: powercut replay r f1");
    assertThat(reached).isEmpty();
  }

  @Test
  void methodThatAsksShouldDecideItself() throws IOException {
    TestExecutionResult result = run("asked(" + Outcome.class.getName() + ")");

    assertThat(result.getStatus()).isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
    assertThat(reached).isEqualTo("it crashed");
    assertThat(Files.readString(folder.resolve("arguments")))
        .isEqualTo("run bug.yaml --json --set parameters.n=1 ");
  }

  @Test
  void wrongOverrideShouldBeNamed() {
    assertThat(failure(run("wrong()"))).contains("'parameters.n' is not key=value");
  }
}
