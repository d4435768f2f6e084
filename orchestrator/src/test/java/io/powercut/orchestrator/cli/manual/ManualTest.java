// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.manual;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class ManualTest {
  private static final String COMPLETE = "COMP_WORDS=(tool %s); COMP_CWORD=%d; _complete_tool";

  @TempDir Path directory;

  enum Form {
    TEXT,
    JSON
  }

  @Command(
      name = "tool",
      description = "Does it.",
      subcommands = {Show.class, CompletionCommand.class})
  static final class Tool {}

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = {"Shows what it's about. Then more.", "", "  tool show -x"})
  static final class Show {
    @Option(names = "--form", description = ".hidden-files too: a\\b 50%% of them.")
    private Form form = Form.TEXT;

    @Option(names = "--secret", hidden = true)
    private boolean secret;

    @Parameters(paramLabel = "FILE", description = "What to show.")
    private Path file = Path.of("");

    @Override
    public String toString() {
      return form + " " + secret + " " + file;
    }
  }

  private static CommandLine tool() {
    return new CommandLine(new Tool());
  }

  @Test
  void bashShouldCompleteCommandsAndValues() throws Exception {
    assertThat(completed("s", 1)).isEqualTo("show");
    assertThat(completed("show --form J", 3)).isEqualTo("JSON");
  }

  private String completed(String words, int number) throws IOException, InterruptedException {
    Path script =
        Files.writeString(directory.resolve("script"), picocli.AutoComplete.bash("tool", tool()));
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source %s; %s; echo ${COMPREPLY[@]}"
                    .formatted(script, COMPLETE.formatted(words, number)))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isZero();
    return said.strip();
  }

  @Test
  void fishShouldKnowCommandsOptionsValuesAndFiles() {
    String inside = "complete -c tool -n '__fish_seen_subcommand_from show' ";
    assertThat(FishCompletion.of(tool()).lines())
        .contains(
            "complete -c tool -f",
            "complete -c tool -n __fish_use_subcommand -a show -d 'Shows what it\\'s about'",
            inside + "-l form -a 'TEXT JSON' -x -d '.hidden-files too: a\\\\b 50% of them'",
            inside + "-F",
            "complete -c tool -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'")
        .noneMatch(line -> line.contains("secret"));
  }

  @Test
  void pageShouldHaveWhatTheHelpHas() {
    String page = ManPage.of(requireNonNull(tool().getSubcommands().get("show")));

    assertThat(page)
        .startsWith(".TH \"TOOL-SHOW\" 1\n.SH NAME\ntool\\-show \\- Shows what it's about\n")
        .contains("\n.TP\n\\fB\\-\\-form=<form>\\fR\n\\&.hidden\\-files too: a\\eb 50% of them.\n")
        .contains("\n.nf\n  tool show \\-x\n.fi\n", "\n.TP\n\\fBFILE\\fR\nWhat to show.\n")
        .contains(".SH EXIT STATUS\n.TP\n\\fB0\\fR\nnothing new")
        .doesNotContain("secret");
  }

  @Test
  void everyCommandShouldHaveAPage() throws IOException {
    CommandLine all = new CommandLine(new Tool()).addSubcommand(new ManCommand());
    Path pages = directory.resolve("man/man1");

    assertThat(all.execute("man", pages.toString())).isZero();
    assertThat(pages)
        .isDirectoryContaining("glob:**/powercut.1")
        .isDirectoryContaining("glob:**/powercut-show.1")
        .isDirectoryContaining("glob:**/powercut-man.1");
  }
}
