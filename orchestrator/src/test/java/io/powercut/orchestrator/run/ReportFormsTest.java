// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.ReportForm;
import io.powercut.report.SampleRuns;
import io.powercut.report.findings.ReportedRun;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFormsTest {
  @TempDir private Path directory;

  /** Writes a part, and then all or an exception. */
  private record Form(String fileName, @Nullable Exception failure) implements ReportForm {
    @Override
    public void write(ReportedRun run, Writer out) throws IOException {
      out.write("half of ");
      if (failure instanceof IOException io) {
        throw io;
      }
      if (failure instanceof RuntimeException mistake) {
        throw mistake;
      }
      out.write(run.report().campaign().name());
    }
  }

  private static Form good(String name) {
    return new Form(name, null);
  }

  @Test
  void formsShouldBeWrittenAlthoughOthersCannot() throws IOException {
    List<String> notes = new ArrayList<>();
    ReportForms.write(
        List.of(
            good("one"),
            new Form("two", new IOException("no space")),
            new Form("three", new IllegalStateException("a mistake")),
            good("four")),
        SampleRuns.nothing(directory),
        notes::add);
    assertThat(directory.resolve("one")).hasContent("half of sample");
    assertThat(directory.resolve("four")).hasContent("half of sample");
    assertThat(notes)
        .satisfiesExactly(
            note -> assertThat(note).contains(directory.resolve("two").toString(), "no space"),
            note -> assertThat(note).contains(directory.resolve("three").toString(), "a mistake"));
    assertThat(filesIn(directory)).containsExactlyInAnyOrder("one", "four");
  }

  @Test
  void anEarlierFileShouldStayWhenItCannotBeReplaced() throws IOException {
    ReportForms.write(List.of(good("form")), SampleRuns.nothing(directory), note -> {});
    ReportForms.write(
        List.of(new Form("form", new IOException("no space"))),
        SampleRuns.nothing(directory),
        note -> {});
    assertThat(directory.resolve("form")).hasContent("half of sample");
  }

  private static List<String> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
