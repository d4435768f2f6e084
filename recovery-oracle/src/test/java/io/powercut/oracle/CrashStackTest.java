// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CrashStackTest {
  private static CrashFrame frame(String function, String file, String module) {
    return new CrashFrame(
        function,
        Optional.of(file).filter(name -> !name.isEmpty()),
        file.isEmpty() ? OptionalInt.empty() : OptionalInt.of(44),
        Optional.of(module).filter(name -> !name.isEmpty()),
        OptionalLong.empty());
  }

  private static String place(CrashFrame... frames) {
    return new CrashStack(List.of(frames), Optional.empty(), "", Optional.empty(), Optional.empty())
        .place()
        .orElseThrow()
        .function();
  }

  /** Where the C library has debug information, gdb gives its sources and no module. */
  @Test
  void failedAssertionShouldBeAtTheUsersCode() {
    CrashFrame check = frame("check_stack", "/src/stack.c", "");

    assertThat(
            place(
                frame("__pthread_kill_implementation", "./nptl/pthread_kill.c", ""),
                frame("__GI_raise", "../sysdeps/posix/raise.c", ""),
                frame("__GI_abort", "./stdlib/abort.c", ""),
                frame("__GI___assert_fail", "./assert/assert.c", ""),
                check))
        .isEqualTo("check_stack");
    assertThat(place(frame("raise", "", "/lib/x86_64-linux-gnu/libc.so.6"), check))
        .isEqualTo("check_stack");
  }

  @Test
  void sourcesOfTheUserMayHaveNamesOfTheCLibrarysFolders() {
    assertThat(place(frame("copy", "/src/string/copy.c", ""), frame("main", "stdlib/main.c", "")))
        .isEqualTo("copy");
    assertThat(place(frame("main", "stdlib/main.c", ""))).isEqualTo("main");
  }

  @Test
  void withoutSourcesItShouldBeTheInnermostFrameOfTheProgram() {
    assertThat(place(frame("memcpy", "", "/lib/libc.so.6"), frame("??", "", "/src/app")))
        .isEqualTo("??");
    assertThat(place(frame("memcpy", "", "/lib/libc.so.6"), frame("??", "", "/lib/libc.so.6")))
        .isEqualTo("memcpy");
  }

  @Test
  void functionWithoutANameShouldBeItsAddress() {
    CrashFrame frame =
        new CrashFrame(
            "??",
            Optional.empty(),
            OptionalInt.empty(),
            Optional.of("/src/app"),
            OptionalLong.of(0x11dd));
    assertThat(frame).hasToString("app+0x11dd");
    assertThat(frame.shortName()).isEqualTo("app+0x11dd");
  }
}
