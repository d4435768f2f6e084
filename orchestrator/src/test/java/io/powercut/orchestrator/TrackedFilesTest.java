// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only sources are tracked: what a build makes is not. */
class TrackedFilesTest {
  private static final Path HOME = PowercutHome.find();

  /** How files begin that compilers, archivers and recorders write. */
  private static final List<byte[]> BUILT =
      List.of(
          new byte[] {0x7f, 'E', 'L', 'F'},
          "!<arch>".getBytes(StandardCharsets.US_ASCII),
          new byte[] {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe},
          "PK".getBytes(StandardCharsets.US_ASCII),
          new byte[] {0x1f, (byte) 0x8b});

  private static List<String> git(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("git", "-C", HOME.toString()));
    command.addAll(List.of(arguments));
    Process git =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Arrays.stream(said.split("\0")).filter(name -> !name.isEmpty()).toList();
  }

  @BeforeEach
  void sourcesMayComeWithoutTheirHistory() {
    assumeThat(HOME.resolve(".git")).exists();
  }

  @Test
  void trackedFilesShouldNotBeIgnoredOnes() throws IOException {
    assertThat(git("ls-files", "-z")).hasSizeGreaterThan(1000);
    assertThat(git("ls-files", "-z", "--cached", "--ignored", "--exclude-standard")).isEmpty();
  }

  @Test
  void trackedFilesShouldNotBeBuilt() throws IOException {
    List<String> built = new ArrayList<>();
    for (String name : git("ls-files", "-z")) {
      Path file = HOME.resolve(name);
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isBuilt(file)) {
        built.add(name);
      }
    }
    assertThat(built).isEmpty();
  }

  private static boolean isBuilt(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(8);
      return BUILT.stream()
          .anyMatch(
              magic ->
                  start.length >= magic.length
                      && Arrays.equals(magic, 0, magic.length, start, 0, magic.length));
    }
  }
}
