// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.loading.CampaignLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirstCampaignTest {
  @TempDir Path directory;

  private FirstCampaign of(Path program) throws IOException {
    return FirstCampaign.of("app", program.toString(), Files.createDirectory(scratch()));
  }

  private Path scratch() {
    return directory.resolve("scratch");
  }

  /** A program that says this when it is asked for help. */
  private Path program(String... commands) throws IOException {
    Path file = directory.resolve("app");
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", commands) + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Campaign load(FirstCampaign campaign) throws IOException {
    Path file = directory.resolve("app.yaml");
    campaign.write(file, "app");
    assertThat(Files.readAllLines(file)).hasSizeLessThan(60);
    return CampaignLoader.load(file);
  }

  private List<String> target(Campaign campaign) {
    return campaign.target().command().expand(campaign.placeholders().withPm(directory));
  }

  @Test
  void commandsOfTheHelpShouldBeThoseOfTheCampaign() throws IOException {
    Path program = program("echo 'usage: app create|run|check FILE' >&2; exit 2");
    FirstCampaign first = of(program);
    Campaign campaign = load(first);

    assertThat(first.toFillIn()).isEmpty();
    assertThat(first.seen()).contains("commands in its --help: create, run, check");
    assertThat(campaign.setup()).isPresent();
    assertThat(target(campaign)).containsExactly(program.toString(), "run", directory + "/pool");
  }

  @Test
  void listedCommandsShouldBeFoundWithTheDirectoryAndTheCountTheyWant() throws IOException {
    Path program =
        program(
            "cat <<'END'",
            "A store.",
            "",
            "Commands:",
            "  mkfs    makes one",
            "  insert  puts numbers into it",
            "  fsck    looks at it",
            "",
            "  app insert FILE N",
            "END");
    Campaign campaign = load(of(program));

    assertThat(target(campaign))
        .containsExactly(program.toString(), "insert", directory + "/pool", "100");
  }

  @Test
  void programThatTellsNothingShouldGetAFileThatLoadsAndSaysWhatToFillIn() throws IOException {
    FirstCampaign first = of(program("exit 1"));
    load(first);

    assertThat(first.toFillIn())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).matches("line \\d+: the arguments of .*"));
    List<String> lines = first.text().lines().toList();
    for (String line : first.toFillIn()) {
      int number = Integer.parseInt(line.replaceAll("\\D+", ""));
      assertThat(lines.get(number - 1)).contains("FILL IN");
    }
  }

  @Test
  void askingForHelpShouldLeaveNothingBehindAndNotTakeLong() throws IOException {
    long began = System.nanoTime();
    of(program("echo here >left", "sleep 1000 & sleep 1000"));

    assertThat((System.nanoTime() - began) / 1_000_000_000L).isLessThan(30);
    assertThat(directory.resolve("left")).doesNotExist();
    assertThat(Path.of("left")).doesNotExist();
    assertThat(scratch().resolve("help/left")).exists();
  }

  @Test
  void programThatIsNotThereShouldNotKeepTheFileFromBeingWritten() throws IOException {
    FirstCampaign first = of(directory.resolve("missing"));

    assertThat(first.seen()).first().asString().contains("no such program yet");
    load(first);
  }

  @Test
  void subcommandsOfArgparseShouldBeFound() {
    HelpText help = new HelpText("usage: app.py [-h] {init,add,verify} ...\n", "app.py");

    assertThat(help.commands()).containsExactly("init", "add", "verify");
    assertThat(help.creating()).contains("init");
    assertThat(help.working()).contains("add");
    assertThat(help.checking()).contains("verify");
    assertThat(help.wantsDirectory()).isFalse();
  }

  @Test
  void optionsShouldNotBeTakenForCommands() {
    HelpText help =
        new HelpText("Usage: app [--mode=fast|slow] DIRECTORY\n  --port N  listens there\n", "app");

    assertThat(help.commands()).isEmpty();
    assertThat(help.wantsDirectory()).isTrue();
  }

  @Test
  void elfFileShouldTellHowItPersists() throws IOException {
    List<String> seen = of(Path.of("/bin/ls")).seen();

    assertThat(seen).first().asString().startsWith("an x86-64 program, stripped");
  }

  /** A store or a database may lie in a library, and may persist by system calls alone. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "return 0; @ '' @ true",
        "return write(1, NAME, 1) < 0 || fsync(1); @ '' @ false",
        "return 0; @ -Wl,--no-as-needed -lz @ false",
      })
  void programThatChangesNoFilesShouldBeToldSo(String body, String options, boolean isTold)
      throws Exception {
    Path program = directory.resolve("program");
    String compile =
        "printf '#include <unistd.h>\\nint main(void) { %s }' | gcc -DNAME=__func__ -x c -o %s - %s"
            .formatted(body, program, options);
    assertThat(new ProcessBuilder("bash", "-c", compile).inheritIO().start().waitFor()).isZero();

    List<String> seen = of(program).seen();

    assertThat(seen.toString().contains("no call of mmap or write was seen")).isEqualTo(isTold);
    assertThat(seen.contains("it calls fsync or fdatasync")).isEqualTo(body.contains("fsync"));
  }
}
