// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.powercut.image.files.Removal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was left by programs that shell and Python stand for here: Java cannot make most of it. */
class RemovalTest {
  @TempDir private Path directory;
  private Path left;

  @BeforeEach
  void make() throws IOException {
    left = Files.createDirectory(directory.resolve("left"));
  }

  /** Runs a program in the directory. */
  private void python(String program) throws IOException {
    execute("python3", "-c", "import os, socket\nos.chdir(b'" + left + "')\n" + program);
  }

  private static void execute(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as(said).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "os.mkdir(b'\\xff\\xfe'); open(b'\\xff\\xfe/\\xe4', 'w'); open(b'\\xc3', 'w')",
        "os.makedirs('a/b/c'); open('a/b/c/f', 'w'); os.chmod('a/b', 0); os.chmod('a', 0)",
        "os.mkfifo('fifo'); socket.socket(socket.AF_UNIX).bind('socket')",
        "[(os.mkdir('d'), os.chdir('d')) for _ in range(3000)]",
        "[(os.mkdir('d' * 255), os.chdir('d' * 255)) for _ in range(100)]; open('f', 'w')",
        "os.makedirs('a/moved-up-0/x'); os.mkdir('moved-up-0'); open('moved-up-1', 'w')",
        "[open('f%d' % i, 'w').close() for i in range(5000)]",
      })
  void anythingShouldBeRemoved(String program) throws IOException {
    python(program);
    Removal.remove(left);
    assertThat(left).doesNotExist();
    Removal.remove(left);
  }

  @Test
  void contentShouldBeRemovedAndTheDirectoryStay() throws IOException {
    python("os.makedirs(b'a/\\xff/c'); os.chmod('a', 0)");
    Removal.empty(left);
    assertThat(left).isEmptyDirectory();
  }

  @Test
  void linksShouldNotBeFollowed() throws IOException {
    Path precious = Files.createDirectory(directory.resolve("precious"));
    Files.writeString(precious.resolve("file"), "content");
    Files.createSymbolicLink(left.resolve("out"), precious);
    Files.createDirectory(left.resolve("below"));
    Files.createSymbolicLink(left.resolve("below/out"), precious);
    Path link = Files.createSymbolicLink(directory.resolve("link"), precious);

    Removal.remove(left);
    Removal.empty(link);

    assertThat(left).doesNotExist();
    assertThat(link).doesNotExist();
    assertThat(precious.resolve("file")).hasContent("content");
  }

  @Test
  void fileInPlaceOfADirectoryShouldBeRemoved() throws IOException {
    Files.delete(left);
    Files.writeString(left, "a file");
    Removal.empty(left);
    assertThat(left).doesNotExist();
  }

  @Test
  void immutableFilesShouldBeRemoved() throws IOException {
    Files.createDirectories(left.resolve("a/b"));
    Files.writeString(left.resolve("a/b/f"), "content");
    boolean bound =
        new ProcessBuilder("chattr", "+i", left + "/a/b/f", left + "/a")
                .redirectErrorStream(true)
                .start()
                .onExit()
                .join()
                .exitValue()
            == 0;
    assumeTrue(bound, "needs root and a file system that knows the flag");
    Removal.remove(left);
    assertThat(left).doesNotExist();
  }

  @Test
  void whatIsMountedShouldBeLeftAlone() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("file"), "content");
    Path place = Files.createDirectories(left.resolve("a/place"));
    Files.writeString(left.resolve("a/other"), "content");
    boolean mounted =
        new ProcessBuilder("mount", "--bind", outside.toString(), place.toString())
                .redirectErrorStream(true)
                .start()
                .onExit()
                .join()
                .exitValue()
            == 0;
    assumeTrue(mounted, "needs root");
    try {
      assertThatThrownBy(() -> Removal.remove(left))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("place, which is mounted");
    } finally {
      execute("umount", place.toString());
    }
    assertThat(outside.resolve("file")).hasContent("content");
    assertThat(left.resolve("a/other")).doesNotExist();
    Removal.remove(left);
  }
}
