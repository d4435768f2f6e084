// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.powercut.exit.PowercutException;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Granularity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
  @TempDir private Path home;
  private Path library;
  private Path programs;

  @BeforeEach
  void setUp() throws IOException {
    library = Files.createDirectories(home.resolve("recorder/target/native/lib"));
    programs = Files.createDirectory(home.resolve("bin"));
  }

  private void nativePrograms() throws IOException {
    executable(library.resolve("powercut-amd64-linux"));
    executable(library.resolveSibling("powercut-pids"));
  }

  private static void executable(Path file) throws IOException {
    Files.createFile(file);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void shouldSayHowToBuildAMissingRecorder() {
    assertThatExceptionOfType(PowercutException.class)
        .isThrownBy(() -> Recorder.find(home, programs.toString()))
        .withMessageContaining("powercut-amd64-linux is missing. Build it with: make -C " + home);
  }

  @Test
  void shouldSayHowToInstallAMissingValgrind() throws IOException {
    nativePrograms();
    assertThatExceptionOfType(PowercutException.class)
        .isThrownBy(() -> Recorder.find(home, programs.toString()))
        .withMessageContaining("valgrind is not on the PATH (" + programs + ")")
        .withMessageContaining("apt-get install valgrind");
  }

  @Test
  void shouldFixProcessNumbersUnlessGdbIsToFindTheProcess() throws IOException {
    nativePrograms();
    executable(programs.resolve("valgrind"));
    RecorderOptions.Builder fixed =
        RecorderOptions.recording(Path.of("/pm"), Path.of("/trace")).fixedProcessIds(true);
    Recorder recorder = Recorder.find(home, programs.toString());
    CommandSpec target = CommandSpec.command("prog").build();

    assertThat(recorder.record(target, fixed.build()).arguments())
        .startsWith(
            library.resolveSibling("powercut-pids").toString(),
            "--as=/trace/namespace",
            programs.resolve("valgrind").toString());
    assertThat(recorder.beside(target, fixed.build()).arguments())
        .containsExactly(
            library.resolveSibling("powercut-pids").toString(), "--with=/trace/namespace", "prog");
    assertThat(recorder.record(target, fixed.onStop(OnStop.GDB_SERVER).build()).arguments())
        .startsWith(programs.resolve("valgrind").toString());
    assertThat(recorder.beside(target, fixed.onStop(OnStop.GDB_SERVER).build())).isEqualTo(target);
  }

  @Test
  void shouldPutACommandUnderTheRecorder() throws IOException {
    nativePrograms();
    executable(programs.resolve("valgrind"));
    CommandSpec target =
        CommandSpec.command("prog", "--version").environment("KEY", "value").build();

    CommandSpec command =
        Recorder.find(home, "/nowhere:" + programs)
            .record(target, RecorderOptions.recording(Path.of("/pm"), Path.of("/trace")).build());

    assertThat(command.environment())
        .containsEntry("VALGRIND_LIB", library.toString())
        .containsEntry("KEY", "value");
    assertThat(command.arguments())
        .containsExactly(
            programs.resolve("valgrind").toString(),
            "--command-line-only=yes",
            "--tool=powercut",
            "--trace-children=yes",
            "--max-threads=10000",
            "--read-inline-info=yes",
            "--fullpath-after=",
            "-q",
            "--vgdb=no",
            "--pm-dir=/pm",
            "--trace=/trace",
            "--chunk-size=16384K",
            "--window=0",
            "--granularity=persistency",
            "--stacks=failure-points",
            "--record=yes",
            "--outputs=no",
            "--acknowledged=no",
            "--requests=no",
            "--reads=no",
            "--races=no",
            "--executed=no",
            "--deterministic=no",
            "--schedule=default",
            "--schedule-seed=0",
            "--quantum=100000",
            "--loader=no",
            "--",
            "prog",
            "--version");
  }

  @Test
  void shouldTakeOnlyWhatIsSaidOfBytes() {
    RecorderOptions options =
        RecorderOptions.recording(Path.of("/pm"), Path.of("/trace")).ranges(true).build();

    assertThat(options.arguments()).contains("--requests=ranges");
  }

  @Test
  void shouldPassAllOptionsOn() {
    RecorderOptions options =
        RecorderOptions.recording(Path.of("/pm"), Path.of("/trace"))
            .chunkSize(DataSize.ofMebibytes(1))
            .window(4)
            .granularity(Granularity.STORE)
            .excluded(ExcludedFunctions.of(List.of("f(int, char)", "g*")))
            .loader(true)
            .begin(List.of("main"))
            .end(List.of("finish"))
            .leaves(Path.of("/leaves"))
            .onStop(OnStop.GDB_SERVER)
            .occurrence(3)
            .fixedTime(true)
            .fixedRandom(true)
            .recordEvents(false)
            .outputs(true)
            .requests(true)
            .reads(true)
            .races(true)
            .executed(true)
            .build();
    assertThat(options.arguments())
        .containsExactly(
            "--pm-dir=/pm",
            "--trace=/trace",
            "--chunk-size=1024K",
            "--window=4",
            "--granularity=store",
            "--stacks=all",
            "--record=no",
            "--outputs=yes",
            "--acknowledged=yes",
            "--requests=yes",
            "--reads=yes",
            "--races=yes",
            "--atomics=no",
            "--executed=yes",
            "--deterministic=yes",
            "--schedule=default",
            "--schedule-seed=0",
            "--quantum=100000",
            "--exclude=f(int, char)",
            "--exclude=g*",
            "--loader=yes",
            "--begin=main",
            "--end=finish",
            "--leaves=/leaves",
            "--occurrence=3",
            "--on-stop=gdbserver");
  }

  @Test
  void shouldRefuseChunksThatTheRecorderWouldRefuse() {
    RecorderOptions.Builder builder = RecorderOptions.recording(Path.of("/pm"), Path.of("/trace"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.chunkSize(DataSize.ofKibibytes(128)).build())
        .withMessageContaining("want 256KiB to 1GiB");
  }
}
