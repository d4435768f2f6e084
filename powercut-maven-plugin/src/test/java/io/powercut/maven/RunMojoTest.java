// SPDX-License-Identifier: Apache-2.0
package io.powercut.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunMojoTest {
  @TempDir Path folder = Path.of("");

  private final RunMojo mojo = new RunMojo();
  private final List<String> said = new ArrayList<>();

  /** What is said, with its severity. */
  private final class Said extends SystemStreamLog {
    @Override
    public void info(CharSequence line) {
      said.add("info " + line);
    }

    @Override
    public void warn(CharSequence line) {
      said.add("warn " + line);
    }

    @Override
    public void error(CharSequence line) {
      said.add("error " + line);
    }
  }

  @BeforeEach
  void install() throws IOException {
    Path command = folder.resolve("powercut");
    Files.writeString(
        command,
        """
        #!/bin/sh
        echo "$@" >>%s/arguments
        case "$2" in
        clean.yaml) echo '{"event":"result","meaning":"nothing new"}'; exit 0 ;;
        bug.yaml) echo '{"event":"finding","severity":"BUG","kind":"CRASHED","title":"it crashed","fails":true,"replay":"powercut replay r f1"}'; exit 1 ;;
        untested.yaml) exit 3 ;;
        *) echo '{"event":"error","message":"no such key"}'; exit 2 ;;
        esac
        """
            .formatted(folder));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    mojo.setLog(new Said());
    mojo.command = command.toFile();
    mojo.runs = new File("runs");
  }

  private void run(String... campaigns) throws MojoExecutionException, MojoFailureException {
    mojo.campaigns = List.of(campaigns).stream().map(File::new).toList();
    mojo.execute();
  }

  private String arguments() throws IOException {
    Path file = folder.resolve("arguments");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  @Test
  void shouldRunEachCampaignWithItsOptions() throws Exception {
    mojo.set = Map.of("parameters.n", "7");
    run("clean.yaml", "clean.yaml");

    String one = "run clean.yaml --json --set parameters.n=7 --runs runs\n";
    assertThat(arguments()).isEqualTo(one + one);
    assertThat(said).contains("info powercut: nothing new (exit code 0)");
  }

  @Test
  void shouldFailTheBuildForABugAfterAllHaveRun() throws IOException {
    assertThatExceptionOfType(MojoFailureException.class)
        .isThrownBy(() -> run("bug.yaml", "clean.yaml"))
        .withMessageStartingWith("1 of 2 campaigns failed");
    assertThat(arguments().lines()).hasSize(2);
    assertThat(said)
        .contains("error BUG crashed  it crashed", "error   replay: powercut replay r f1");
  }

  @Test
  void shouldGoOnWithABugIfAsked() throws Exception {
    mojo.testFailureIgnore = true;
    run("bug.yaml");

    assertThat(said).contains("warn BUG crashed  it crashed");
    assertThatExceptionOfType(MojoFailureException.class).isThrownBy(() -> run("untested.yaml"));
  }

  @Test
  void shouldBeAnErrorIfTheCampaignIsWrong() {
    assertThatExceptionOfType(MojoExecutionException.class)
        .isThrownBy(() -> run("wrong.yaml"))
        .withMessageContaining("no such key");
  }

  @Test
  void shouldBeAnErrorIfThereIsNoCommand() {
    mojo.command = folder.resolve("nothing").toFile();

    assertThatExceptionOfType(MojoExecutionException.class)
        .isThrownBy(() -> run("clean.yaml"))
        .withMessageContaining("no command that can be executed");
  }

  @Test
  void shouldRunNothingIfSkipped() throws Exception {
    mojo.skip = true;
    run("bug.yaml");

    assertThat(arguments()).isEmpty();
  }
}
