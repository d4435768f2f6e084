// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.locks.CallValue;
import io.powercut.campaign.locks.LockMode;
import io.powercut.campaign.locks.LockRole;
import io.powercut.campaign.locks.LockTest;
import java.util.Optional;

/** A function of the target that acquires or releases a lock of the target's own making. */
public record SynchronisationSection(
    @Key(
            value =
                "The function's name as in the source, with its class, or a pattern with * and ?. Without"
                    + " parameters: any function of that name.",
            pattern = "\\S(.*\\S)?",
            example = "\"Node::writeLock*\"")
        String function,
    @Key(
            value =
                "What it does. `try-acquire` may fail, and needs `success`. A lock is held from the return"
                    + " of an acquire to the call of a release.",
            example = "acquire")
        LockRole role,
    @Key(
            value = "`shared`: others may hold the lock in the same mode, as readers do.",
            defaultValue = "exclusive")
        LockMode mode,
    @Key(
            value =
                "What identifies the lock: `argument N` (1 to 6; the object of a method is the first),"
                    + " `argument N + OFFSET`, `argument N + SIZE * argument M`, the same with `value at` in"
                    + " front (the pointer that lies there), `result`, or `number N` for a lock that no"
                    + " argument names.",
            example = "argument 1")
        CallValue lock,
    @Key(
            value =
                "What shows that it was acquired. The result: `zero`, `nonzero` or a number (an int), `true`"
                    + " or `false` (a bool), `pointer` (not null), `byte of result is zero` (a uint8_t), and so"
                    + " with `int` and `long`, `nonzero` and numbers. Or memory after the return:"
                    + " `byte at argument 2 is zero`, and so on. Default: it always is.",
            example = "byte at argument 2 is zero")
        Optional<LockTest> success) {

  public SynchronisationSection {
    requireNonNull(function, "function is null");
    requireNonNull(role, "role is null");
    requireNonNull(mode, "mode is null");
    requireNonNull(lock, "lock is null");
    requireNonNull(success, "success is null");
    if (role == LockRole.TRY_ACQUIRE && success.isEmpty()) {
      throw new IllegalArgumentException(
          "role try-acquire needs success: which result means that the lock was acquired");
    }
    if (role == LockRole.RELEASE && success.isPresent()) {
      throw new IllegalArgumentException(
          "role release has no success: the lock is free from the call on; remove it");
    }
    if (role == LockRole.RELEASE && lock.needsResult()) {
      throw new IllegalArgumentException(
          "role release is known at the call, which has no result yet; name an argument as lock");
    }
  }

  /** As the recorder reads it. */
  public String declaration() {
    return String.join(
        ":",
        role == LockRole.RELEASE ? "release" : "acquire",
        mode == LockMode.SHARED ? "shared" : "exclusive",
        lock.declaration(),
        success.map(LockTest::declaration).orElse("-"),
        function);
  }
}
