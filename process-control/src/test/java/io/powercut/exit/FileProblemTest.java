// SPDX-License-Identifier: Apache-2.0
package io.powercut.exit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No message names a class of Java; each says which part of the path is the reason. */
class FileProblemTest {
  private Path folder;

  @BeforeEach
  void makeFiles(@TempDir Path temporary) throws IOException {
    folder = temporary.toRealPath();
    Files.writeString(folder.resolve("file"), "x");
    Files.createSymbolicLink(folder.resolve("dangling"), Path.of("nowhere"));
    Files.createSymbolicLink(folder.resolve("circle"), Path.of("circle"));
  }

  @Test
  @DisplayName("of a path, the first part that is missing is named")
  void namesWhatIsMissing() {
    Path file = folder.resolve("a/b/c");

    assertThat(text(() -> Files.readString(file)))
        .isEqualTo(file + ": " + folder.resolve("a") + " does not exist");
    assertThat(text(() -> Files.readString(folder.resolve("c"))))
        .isEqualTo(folder.resolve("c") + ": it does not exist");
    assertThat(text(() -> Files.readString(folder.resolve("dangling"))))
        .isEqualTo(folder.resolve("dangling") + ": it is a link to nowhere, which does not exist");
  }

  @Test
  @DisplayName("what is no directory, or is there already, is in the way")
  void namesWhatIsInTheWay() {
    Path file = folder.resolve("file");

    assertThat(text(() -> Files.createDirectories(file.resolve("x/y"))))
        .endsWith(": " + file + " is not a directory");
    assertThat(text(() -> Files.createDirectories(file)))
        .isEqualTo(file + ": it is not a directory");
    assertThat(text(() -> Files.newDirectoryStream(file)))
        .isEqualTo(file + ": it is not a directory");
    assertThat(text(() -> Files.createDirectory(folder))).isEqualTo(folder + ": it exists already");
    assertThat(text(() -> Files.createDirectories(folder.resolve("dangling"))))
        .endsWith("it is a link to nowhere, which does not exist");
    assertThat(text(() -> Files.createDirectories(folder.resolve("circle/x"))))
        .endsWith("its links lead in a circle");
    assertThat(text(() -> Files.delete(Files.writeString(folder.resolve("new"), "").getParent())))
        .isEqualTo(folder + ": it is a directory that is not empty");
  }

  @Test
  @DisplayName("a refused permission has the owner of what refuses it")
  void namesTheOwner() {
    FileProblem problem =
        FileProblem.of(new AccessDeniedException(folder.resolve("new/file").toString()));

    assertThat(problem.text())
        .startsWith(folder.resolve("new/file") + ": permission denied (" + folder + " belongs to ")
        .endsWith("with rwx------)");
    assertThat(problem.remedy()).startsWith("change the permissions");
  }

  @Test
  @DisplayName("what the system says is kept")
  void keepsReasons() {
    FileSystemException readOnly =
        new FileSystemException("/x/runs", null, "Read-only file system");
    FileSystemException copied =
        new FileSystemException(
            folder.resolve("file").toString(), "/x/copy", "No space left on device");

    assertThat(FileProblem.of(readOnly).text()).isEqualTo("/x/runs: its file system is read-only");
    assertThat(FileProblem.of(readOnly).textBeside(Path.of("/x/runs")))
        .isEqualTo("its file system is read-only");
    assertThat(FileProblem.of(readOnly).textBeside(Path.of("/x")))
        .isEqualTo("/x/runs: its file system is read-only");
    assertThat(FileProblem.of(copied).text()).isEqualTo("/x/copy: no space left on device");
    assertThat(
            FileProblem.of(new FileSystemException("/x", null, "Operation not permitted")).text())
        .contains("lsattr");
    assertThat(FileProblem.of(new FileSystemException("/x")).text())
        .isEqualTo("/x: it cannot be used");
  }

  @Test
  @DisplayName("a failure without a file gets the one that was meant")
  void knowsTheFile() {
    Path file = Path.of("/x/file");

    assertThat(FileProblem.of(file, new IOException("Input/output error")).text())
        .isEqualTo("/x/file: Input/output error");
    assertThat(FileProblem.of(file, new NoSuchFileException("/y")).text())
        .isEqualTo("/y: it does not exist");
    assertThat(FileProblem.of(new EOFException()).text()).isEqualTo("it ends too early");
    assertThat(FileProblem.of(file, new IOException()).reason())
        .isEqualTo("the system gives no reason");
    assertThat(FileProblem.of(new MalformedInputException(1)).text())
        .isEqualTo("it is not a text in UTF-8");
    assertThat(text(() -> new ProcessBuilder("/no/such/program").start()))
        .isEqualTo("/no/such/program: no such file or directory");
  }

  private static String text(ThrowingCallable action) {
    return FileProblem.of(catchThrowableOfType(IOException.class, action)).text();
  }
}
