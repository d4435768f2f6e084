// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.locks.CallValue;
import io.powercut.campaign.locks.LockMode;
import io.powercut.campaign.locks.LockRole;
import io.powercut.campaign.locks.LockTest;
import io.powercut.campaign.locks.MemorySize;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocatorSectionTest {
  private static AllocatorSection section(String address, String size) {
    return new AllocatorSection(
        "f", new CallValue(address), new MemorySize(size), Optional.empty(), Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({
    "result,argument 1,r:1:-:-:f",
    "value at argument 2,argument 3 * argument 4,*2:3x4:-:-:f",
    "argument 1 + result,64B,1+1*r:+64:-:-:f",
    "result, 2 KiB,r:+2048:-:-:f",
  })
  void shouldTellTheRecorder(String address, String size, String declaration) {
    assertThat(section(address, size).declaration()).isEqualTo(declaration);
  }

  @Test
  void shouldTellTheRecorderWhatMovesAndSucceeds() {
    AllocatorSection section =
        new AllocatorSection(
            "ns::move(void*, long)",
            new CallValue("result"),
            new MemorySize("argument 2"),
            Optional.of(new CallValue("argument 1")),
            Optional.of(new LockTest("pointer")));

    assertThat(section.declaration()).isEqualTo("r:2:1:8r!0:ns::move(void*, long)");
  }

  @Test
  void shouldHaveNoMoreFunctionsThanTheRecorderFollows() {
    SynchronisationSection lock =
        new SynchronisationSection(
            "g",
            LockRole.RELEASE,
            LockMode.EXCLUSIVE,
            new CallValue("argument 1"),
            Optional.empty());

    assertThatThrownBy(
            () ->
                new RacesSection(
                    true,
                    false,
                    Collections.nCopies(32, lock),
                    Collections.nCopies(33, section("result", "argument 1")),
                    false,
                    1,
                    1,
                    Optional.empty(),
                    16,
                    Optional.empty()))
        .hasMessageContaining(
            "synchronisation and allocators together have 65 entries, want at most 64");
    assertThat(List.of("1", "argument 0", "argument 1 * 2", "-8B", "64 MB and more"))
        .allSatisfy(
            size ->
                assertThatThrownBy(() -> new MemorySize(size)).hasMessageContaining("is no size"));
  }
}
