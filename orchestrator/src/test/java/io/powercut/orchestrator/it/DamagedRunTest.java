// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.image.files.DirectoryCopy;
import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.history.History;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a run that were damaged: each is named, with a remedy, and none shows a stack trace. */
@Tag("campaign")
class DamagedRunTest {
  private static final long SEED = 7;
  private static final int RANDOM_DAMAGES = 12;
  private static final List<String> FILES =
      List.of(
          "run.json",
          "verdicts.jsonl",
          "states.jsonl",
          "tree.jsonl",
          "patterns.json",
          "changes.json",
          "code.json",
          "campaign.yaml");

  @RegisterExtension private static final Workbench workbench = Workbench.with("bugs");

  private static Path campaign;
  private static Path whole;

  @BeforeAll
  static void run() throws IOException {
    String program = Workbench.home().resolve("workloads/bugs/build/bug/one-path").toString();
    campaign =
        workbench.write(
            "one-path.yaml",
            """
            name: one-path
            environment: {PM_DIRECTORY: "{pm}"}
            setup: {command: ["%1$s", create, "{pm}"]}
            target: {command: ["%1$s", run, "{pm}"]}
            recovery: {command: ["%1$s", check, "{pm}"]}
            """
                .formatted(program));
    assertThat(workbench.runCampaign(campaign).exitCode()).isEqualTo(1);
    whole = workbench.directory().resolve("whole");
    DirectoryCopy.copy(latest(), whole);
  }

  private static Path latest() throws IOException {
    return workbench.runs().resolve("one-path/latest").toRealPath();
  }

  private static void restore() throws IOException {
    Path run = latest();
    PathUtils.deleteDirectory(run);
    DirectoryCopy.copy(whole, run);
  }

  static Stream<String> files() {
    return FILES.stream();
  }

  private static List<byte[]> damages(byte[] content) {
    Random random = new Random(SEED);
    List<byte[]> damages = new ArrayList<>();
    for (String text :
        List.of(
            "null",
            "null\n",
            "",
            "\n",
            "[]\n",
            "{}\n",
            "7\n",
            "\"\"\n",
            "{\"a\": 1}\n",
            "[null]\n")) {
      damages.add(text.getBytes(StandardCharsets.UTF_8));
    }
    damages.add(new byte[] {(byte) 0xff, (byte) 0xfe, '\n'});
    String text = new String(content, StandardCharsets.UTF_8);
    damages.add(
        text.replaceFirst("\"[^\"]*\"(?=[,}\\s])", "null").getBytes(StandardCharsets.UTF_8));
    damages.add(text.replaceFirst(": ?\"[^\"]*\"", ": null").getBytes(StandardCharsets.UTF_8));
    damages.add(text.replaceFirst("[0-9a-f]{16}", "nonsense").getBytes(StandardCharsets.UTF_8));
    damages.add(text.replaceFirst(": ?[0-9]+", ": -1").getBytes(StandardCharsets.UTF_8));
    damages.add(text.replaceFirst("\\[ ?\\{", "[ null, {").getBytes(StandardCharsets.UTF_8));
    damages.add(text.replaceFirst(": ?\\{", ": [], \"x\": {").getBytes(StandardCharsets.UTF_8));
    for (int round = 0; round < RANDOM_DAMAGES; round++) {
      byte[] damaged = content.clone();
      if (damaged.length > 0) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      damages.add(damaged);
    }
    damages.add(Arrays.copyOf(content, content.length / 2));
    return damages;
  }

  private static void assertCivil(String what, Said said) {
    assertThat(said.errors() + said.output())
        .as(what)
        .doesNotContain("bug in Powercut", "\tat ", "Exception:");
    assertThat(said.exitCode()).as(what).isBetween(0, 4);
  }

  @ParameterizedTest
  @MethodSource("files")
  void damagedFileShouldShowNoStackTrace(String name) throws IOException {
    restore();
    Path file = latest().resolve(name);
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    byte[] content = Files.readAllBytes(file);
    for (byte[] damaged : damages(content)) {
      Files.write(file, damaged);
      String what = name + " is " + new String(damaged, StandardCharsets.ISO_8859_1);
      assertCivil(what, Workbench.powercut("report", latest().toString()));
      assertCivil(what, Workbench.powercut("tree", latest().toString()));
      assertCivil(what, Workbench.powercut("diff", whole.toString(), latest().toString()));
      assertCivil(what, Workbench.powercut("replay", latest().toString(), "ffffffffffffffff"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"run.json", "verdicts.jsonl", "states.jsonl", "tree.jsonl", "patterns.json"})
  void whatIsNoFileShouldBeNamed(String name) throws Exception {
    restore();
    Path file = latest().resolve(name);
    Files.deleteIfExists(file);
    Files.createDirectory(file);
    assertNamed(file, "is a directory");
    Files.delete(file);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    assertNamed(file, "is a FIFO");
  }

  private static void assertNamed(Path file, String how) throws IOException {
    Said said = Workbench.powercut("report", latest().toString());
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(3);
    assertThat(said.errors()).contains(file.toString(), how).doesNotContain("bug in Powercut");
  }

  @Test
  void damagedLineShouldBeNamedWithItsNumberAndTheRemedy() throws IOException {
    restore();
    Path file = latest().resolve("verdicts.jsonl");
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.set(2, "null" + " ".repeat(lines.get(2).length() - 4)); // Nothing of the log is missing.
    Files.write(file, lines);

    Said said = Workbench.powercut("report", latest().toString());
    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains(file + ":3: not a verdict: it is null", "Remove the line");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"states.jsonl", "tree.jsonl", "changes.json", "code.json", "verdicts.jsonl"})
  void refusedResumeShouldRunNothingAndChangeNothing(String name) throws IOException {
    restore();
    Path file = latest().resolve(name);
    Files.writeString(file, "null\n");
    String before = contents();

    Said said = workbench.runCampaign(campaign, "--resume");
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(3);
    assertThat(said.errors())
        .contains(file.toString())
        .doesNotContain("setting up", "control", "bug in Powercut");
    assertThat(contents()).isEqualTo(before);
  }

  /** Of the files that a run keeps for its resuming; the lock says who tried. */
  private static String contents() throws IOException {
    try (Stream<Path> files = Files.list(latest())) {
      StringBuilder all = new StringBuilder();
      files
          .filter(Files::isRegularFile)
          .filter(file -> !file.endsWith("lock"))
          .sorted()
          .forEach(file -> all.append(file).append(' ').append(hash(file)).append('\n'));
      return all.toString();
    }
  }

  private static int hash(Path file) {
    try {
      return Arrays.hashCode(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void damagedHistoryShouldBeNamedBeforeItIsUsed() throws IOException {
    Path history = workbench.directory().resolve("history.db");
    String[] command = {
      "history", "--history", history.toString(), "--runs", workbench.runs().toString()
    };
    History.open(history).close();
    assertThat(Workbench.powercut(command).exitCode()).isZero();
    byte[] content = Files.readAllBytes(history);
    Arrays.fill(content, 4096, content.length, (byte) 0x5a);
    Files.write(history, content);

    Said said = Workbench.powercut(command);
    assertThat(said.exitCode()).as(said.output() + said.errors()).isEqualTo(3);
    assertThat(said.errors()).contains(history + " was damaged", "from a backup");

    Files.write(history, "null".getBytes(StandardCharsets.UTF_8));
    assertCivil("no database", Workbench.powercut(command));
    Files.delete(history);
    Files.createDirectory(history);
    assertThat(Workbench.powercut(command).errors()).contains(history.toString(), "is a directory");
  }
}
