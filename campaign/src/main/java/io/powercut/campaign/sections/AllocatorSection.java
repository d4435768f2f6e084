// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.locks.CallValue;
import io.powercut.campaign.locks.LockTest;
import io.powercut.campaign.locks.MemorySize;
import java.util.Optional;

/** A function of the target that allocates persistent memory. */
public record AllocatorSection(
    @Key(
            value =
                "The function's name as in the source, with its class, or a pattern with * and ?. Without"
                    + " parameters: any function of that name.",
            pattern = "\\S(.*\\S)?",
            example = "\"Heap::allocate*\"")
        String function,
    @Key(
            value =
                "The address of what it allocated: `result`, `value at argument N` (the caller's pointer,"
                    + " which it sets), or `argument N + result` for an offset in a pool; also as `lock` of"
                    + " `races.synchronisation` is written. 0 means that it allocated nothing.",
            example = "result")
        CallValue address,
    @Key(
            value =
                "How large that is: `argument N`, `argument N * argument M`, or a size, as in `64B`.",
            example = "argument 1")
        MemorySize size,
    @Key(
            value =
                "Where the memory is that the function moves, as `realloc` does. If it stays there, it is"
                    + " not new.",
            example = "argument 1")
        Optional<CallValue> moves,
    @Key(
            value =
                "What shows that it allocated something, as in `races.synchronisation`. Default: an address"
                    + " that is not 0.",
            example = "zero")
        Optional<LockTest> success) {

  public AllocatorSection {
    requireNonNull(function, "function is null");
    requireNonNull(address, "address is null");
    requireNonNull(size, "size is null");
    requireNonNull(success, "success is null");
    if (moves.filter(CallValue::needsResult).isPresent()) {
      throw new IllegalArgumentException(
          "moves is known at the call, which has no result yet; name an argument");
    }
  }

  /** As the recorder reads it. */
  public String declaration() {
    return String.join(
        ":",
        address.declaration(),
        size.declaration(),
        moves.map(CallValue::declaration).orElse("-"),
        success.map(LockTest::declaration).orElse("-"),
        function);
  }
}
