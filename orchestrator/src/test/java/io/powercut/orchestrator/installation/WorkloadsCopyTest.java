// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.PowercutException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadsCopyTest {
  private static final String DIGEST = "0123456789abcdef";

  @TempDir Path directory = Path.of("");
  private Path home = Path.of("");
  private Path shared = Path.of("");
  private Path cache = Path.of("");

  @BeforeEach
  void install() throws IOException {
    home = Files.createDirectories(directory.resolve("lib/powercut"));
    shared = Files.createDirectories(directory.resolve("share/powercut"));
    cache = directory.resolve("home/a cache");
    Files.createDirectories(shared.resolve("workloads/pmdk"));
    Files.createDirectories(shared.resolve("configs"));
    Files.writeString(shared.resolve("workloads/pmdk/Makefile"), "all:\n");
    Files.setPosixFilePermissions(
        shared.resolve("workloads/pmdk/Makefile"), PosixFilePermissions.fromString("r-xr-xr-x"));
    Files.createDirectories(home.resolve("race-runtime"));
    Files.createSymbolicLink(home.resolve("share"), Path.of("../../share/powercut"));
    release("version=1.2.3\nworkloads=" + DIGEST + "\n");
  }

  private void release(String text) throws IOException {
    Files.writeString(home.resolve("release"), text);
  }

  private WorkloadsCopy copy() {
    return new WorkloadsCopy(Installation.at(home).orElseThrow(), cache);
  }

  @Test
  void checkoutShouldBeNoInstallation() throws IOException {
    Files.delete(home.resolve("release"));
    assertThat(Installation.at(home)).isEmpty();
  }

  @Test
  void damagedInstallationShouldBeRefused() throws IOException {
    release("version=1.2.3\nworkloads=../..\n");
    assertThatThrownBy(() -> Installation.at(home))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("install Powercut again");
  }

  @Test
  void workloadsShouldBeCopiedToWhereTheUserMayWrite() throws IOException {
    Path place = copy().inPlaceOf(shared).orElseThrow();

    assertThat(place).isEqualTo(cache.resolve("powercut/workloads-" + DIGEST));
    Path makefile = place.resolve("workloads/pmdk/Makefile");
    assertThat(makefile).hasContent("all:\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(makefile)))
        .isEqualTo("rwxr-xr-x");
    assertThat(place.resolve("race-runtime").toRealPath())
        .isEqualTo(home.resolve("race-runtime").toRealPath());
    assertThat(place.getParent()).isDirectoryContaining("regex:.*/workloads-" + DIGEST);
    assertThat(place.getParent()).isDirectoryNotContaining("regex:.*/new-.*");
  }

  @Test
  void folderBelowTheSharedOneShouldStayThatFolder() {
    assertThat(copy().inPlaceOf(shared.resolve("workloads/pmdk")).orElseThrow())
        .isEqualTo(cache.resolve("powercut/workloads-" + DIGEST + "/workloads/pmdk"));
  }

  @Test
  void whatWasCompiledShouldStay() throws IOException {
    Path built = copy().inPlaceOf(shared).orElseThrow().resolve("workloads/pmdk/program");
    Files.writeString(built, "");

    copy().inPlaceOf(shared);

    assertThat(built).exists();
  }

  @Test
  void compilerShouldBeThatOfTheInstallationAlsoAfterItWasMoved() throws IOException {
    Path place = copy().inPlaceOf(shared).orElseThrow();
    Path moved = directory.resolve("other");
    Files.move(directory.resolve("lib/powercut"), moved);
    Files.delete(moved.resolve("share"));
    Files.createSymbolicLink(moved.resolve("share"), shared);
    home = moved;

    copy().inPlaceOf(shared);

    assertThat(place.resolve("race-runtime").toRealPath())
        .isEqualTo(moved.resolve("race-runtime").toRealPath());
  }

  @Test
  void otherFoldersShouldStayWhereTheyAre() throws IOException {
    Path other = Files.createDirectory(directory.resolve("share/powercut-of-mine"));
    assertThat(copy().inPlaceOf(other)).isEmpty();
    assertThat(copy().inPlaceOf(directory.resolve("missing"))).isEmpty();
    assertThat(cache).doesNotExist();
  }

  @Test
  void cacheThatCannotBeWrittenShouldBeNamedWithARemedy() throws IOException {
    Files.writeString(directory.resolve("home"), "a file");
    assertThatThrownBy(() -> copy().inPlaceOf(shared))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining(cache.toString())
        .hasMessageContaining("XDG_CACHE_HOME");
  }

  @Test
  void cacheShouldBeWhereTheSpecificationSays() {
    Map<String, String> both = Map.of("XDG_CACHE_HOME", "/cache", "HOME", "/home/me");
    assertThat(WorkloadsCopy.cacheOf(both, "/root")).isEqualTo(Path.of("/cache"));
    assertThat(WorkloadsCopy.cacheOf(Map.of("XDG_CACHE_HOME", "x", "HOME", "/home/me"), "/root"))
        .isEqualTo(Path.of("/home/me/.cache"));
    assertThat(WorkloadsCopy.cacheOf(Map.of("XDG_CACHE_HOME", ""), "/root"))
        .isEqualTo(Path.of("/root/.cache"));
  }
}
