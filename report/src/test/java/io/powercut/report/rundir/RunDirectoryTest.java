// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.PowercutException;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
  private static final LocalDateTime NOW = LocalDateTime.of(2026, 1, 2, 3, 4, 5);

  @TempDir Path folder;

  @Test
  @DisplayName("a directory that is called latest is left, and no half run beside it")
  void leavesNothingBehind() throws IOException {
    Files.createDirectories(folder.resolve("app/latest/mine"));

    assertThatThrownBy(() -> RunDirectory.create(folder, "app", NOW))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining(folder.resolve("app/latest") + ": ")
        .hasMessageContaining("--runs DIR");
    try (Stream<Path> files = Files.list(folder.resolve("app"))) {
      assertThat(files).containsExactly(folder.resolve("app/latest"));
    }
  }

  @Test
  @DisplayName("of a run that ended, files that are gone and logs without their end are named")
  void noticesWhatIsMissing() throws IOException {
    RunDirectory run = RunDirectory.create(folder, "app", NOW);
    Files.writeString(run.verdictsFile(), "one\ntwo\n");
    Files.writeString(run.racesFile(), "{}");
    Json.write(run.factsFile(), facts(run.files()));
    assertThat(run.lacks()).isEmpty();

    Files.writeString(run.verdictsFile(), "one\ntwo\nthree\n");
    Files.writeString(run.statesFile(), "more\n");
    Files.writeString(run.racesFile(), "");
    assertThat(run.lacks()).describedAs("a later part adds").isEmpty();

    Files.writeString(run.verdictsFile(), "one\n");
    Files.delete(run.racesFile());
    assertThatThrownBy(run::requireWhole)
        .hasMessage(
            "in %s, races.json is missing, and verdicts.jsonl has only 4 of its 8 bytes. Restore it from"
                + " a backup, or judge again what is missing: powercut run with --resume.",
            run.path());
  }

  @Test
  @DisplayName("runs of before did not say what they had written")
  void readsOldFacts() throws IOException {
    RunDirectory run = RunDirectory.create(folder, "app", NOW);
    Json.write(run.factsFile(), facts(Map.of()));
    String old = Files.readString(run.factsFile()).replaceFirst("\\s*\"files\" : \\{ },", "");
    Files.writeString(run.factsFile(), old);

    assertThat(old).doesNotContain("files");
    assertThat(run.lacks()).isEmpty();
  }

  private static RunFacts facts(Map<String, Long> files) {
    return new RunFacts(
        "/app.yaml",
        "2026-01-01T00:00:00Z",
        true,
        "",
        Optional.empty(),
        List.of(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(files),
        Optional.empty());
  }

  @Test
  @DisplayName("why there is no run is said in words")
  void saysWhyThereIsNone() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");

    assertThatThrownBy(() -> RunDirectory.open(folder.resolve("nothing")))
        .hasMessageStartingWith(
            "no run in " + folder.resolve("nothing") + " (it does not exist): ");
    assertThatThrownBy(() -> RunDirectory.open(file))
        .hasMessageStartingWith("no run in " + file + " (it is not a directory): ");
    assertThatThrownBy(() -> RunDirectory.open(folder))
        .hasMessageStartingWith("no run in " + folder + ": ");
    assertThatThrownBy(() -> RunDirectory.create(file, "app", NOW))
        .hasMessage(
            "cannot make a run directory below %s: %s is not a directory. Choose another with --runs DIR.",
            file.resolve("app"), file);
  }

  @Test
  @DisplayName("on a full disk an empty file may be all that there is room for")
  void saysThatThereWasNoRoomForTheReason() throws IOException {
    RunDirectory run = RunDirectory.create(folder, "app", NOW);
    Files.createFile(run.path().resolve("failure.txt"));

    assertThatThrownBy(run::requireTrustworthy)
        .hasMessageEndingWith(
            "could not be trusted: why is not known, since there was no room for it on the file"
                + " system of "
                + run.path());
  }
}
