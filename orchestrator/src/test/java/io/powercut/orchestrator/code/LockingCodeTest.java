// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.Instruction;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockingCodeTest {
  private static final Frame CALLER = Frame.of("app", 2, "put", "app.c", 7);

  private static Frame inLibrary(String function) {
    return Frame.of("libc.so.6", 1, function, "", 0);
  }

  private static boolean isLock(Frame... frames) {
    return LockingCode.contains(CallStack.of(List.of(frames)), Instruction.LOCKED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pthread_mutex_lock",
        "pthread_mutex_unlock@@GLIBC_2.2.5",
        "___pthread_mutex_lock",
        "__pthread_mutex_unlock_usercnt",
        "__GI___pthread_mutex_lock",
        "pthread_rwlock_wrlock",
        "pthread_cond_signal",
        "__lll_lock_wait",
        "sem_post"
      })
  void functionsOfLocksShouldBeKnown(String function) {
    assertThat(isLock(inLibrary(function), CALLER)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"malloc", "exit", "pthread_create", "my_pthread_mutex_lock", "semaphore"})
  void othersShouldNotBeTakenForLocks(String function) {
    assertThat(isLock(inLibrary(function), CALLER)).isFalse();
  }

  @Test
  void functionWithoutANameShouldBelongToWhichOfItsLibraryCalledIt() {
    Frame unknown = Frame.unknown("libc.so.6", 9);

    assertThat(isLock(unknown, inLibrary("pthread_mutex_lock"), CALLER)).isTrue();
    assertThat(isLock(unknown, inLibrary("exit"), CALLER)).isFalse();
    assertThat(isLock(unknown, CALLER)).isFalse();
    assertThat(isLock(Frame.unknown("app", 9), inLibrary("pthread_mutex_lock"))).isFalse();
  }

  @Test
  void whatIsNoLockedInstructionShouldNotBeALock() {
    assertThat(LockingCode.contains(CallStack.of(inLibrary("sem_post")), Instruction.SFENCE))
        .isFalse();
  }
}
