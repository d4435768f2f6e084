// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.CommandSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewerFilesTest {
  private static final FileTime RUN = FileTime.fromMillis(1_000_000);

  @TempDir Path folder;

  private Path file(String name, long seconds) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, name);
    Files.setLastModifiedTime(file, FileTime.fromMillis(seconds * 1000));
    return file;
  }

  private CommandSpec command(String... arguments) {
    return CommandSpec.command(arguments).workingDirectory(folder).build();
  }

  @Test
  void programOrScriptThatWasWrittenSinceShouldBeNamed() throws IOException {
    Path old = file("app", 999);
    Path script = file("check.sh", 1001);
    CommandSpec plain = command(old.toString(), "check");
    CommandSpec scripted = command("sh", "./check.sh");

    assertThat(NewerFiles.first(List.of(plain), RUN, List.of())).isEmpty();
    assertThat(NewerFiles.first(List.of(plain, scripted), RUN, List.of())).contains(script);
  }

  @Test
  void filesOfTheExecutionShouldNotCount() throws IOException {
    Path pool = file("pm/pool", 2000);

    assertThat(
            NewerFiles.first(
                List.of(command("app", pool.toString())), RUN, List.of(folder.resolve("pm"))))
        .isEmpty();
  }
}
