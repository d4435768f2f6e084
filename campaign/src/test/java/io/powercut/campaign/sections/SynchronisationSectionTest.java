// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.locks.CallValue;
import io.powercut.campaign.locks.LockMode;
import io.powercut.campaign.locks.LockRole;
import io.powercut.campaign.locks.LockTest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SynchronisationSectionTest {
  private static SynchronisationSection section(LockRole role, String lock) {
    return new SynchronisationSection(
        "f", role, LockMode.EXCLUSIVE, new CallValue(lock), Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({
    "argument 1, 1",
    "argument  6 + 16, 6+16",
    "argument 2 - 8, 2+-8",
    "argument 1 + argument 2, 1+1*2",
    "argument 1 + 64 * argument 2 + 8, 1+64*2+8",
    "value at argument 1, *1",
    "value at argument 1 + 8, *1+8",
    "result, r",
    "value at result + 8, *r+8",
    "number 12, +12"
  })
  void shouldSayToTheRecorderWhatTheLockIs(String lock, String declaration) {
    assertThat(section(LockRole.ACQUIRE, lock).declaration())
        .isEqualTo("acquire:exclusive:" + declaration + ":-:f");
  }

  @ParameterizedTest
  @CsvSource({
    "zero, 4r=0",
    "nonzero, 4r!0",
    "true, 1r!0",
    "false, 1r=0",
    "pointer, 8r!0",
    "-11, 4r=-11",
    "byte of result is zero, 1r=0",
    "long of result is nonzero, 8r!0",
    "byte at argument 2 is zero, 1@2=0",
    "int at argument 2 + 4 is nonzero, 4@2+4!0",
    "long at value at argument 3 + 8 is 7, 8@*3+8=7"
  })
  void shouldSayToTheRecorderWhatSuccessIs(String success, String declaration) {
    SynchronisationSection section =
        new SynchronisationSection(
            "ns::f(int, char)",
            LockRole.TRY_ACQUIRE,
            LockMode.SHARED,
            new CallValue("argument 1"),
            Optional.of(new LockTest(success)));

    assertThat(section.declaration())
        .isEqualTo("acquire:shared:1:" + declaration + ":ns::f(int, char)");
  }

  @Test
  void onlySuccessAsAnIntMayBeMeantOfAByte() {
    assertThat(new LockTest("zero").ofByte()).contains(new LockTest("byte of result is zero"));
    assertThat(new LockTest("3").ofByte()).contains(new LockTest("byte of result is 3"));
    assertThat(new LockTest("true").ofByte()).isEmpty();
    assertThat(new LockTest("byte at argument 2 is zero").ofByte()).isEmpty();
  }

  private static RacesSection section(List<SynchronisationSection> functions) {
    return new RacesSection(
        true, false, functions, List.of(), false, 1, 1, Optional.empty(), 16, Optional.empty());
  }

  @Test
  void shouldHaveNoMoreFunctionsThanTheRecorderFollows() {
    List<SynchronisationSection> many =
        Collections.nCopies(65, section(LockRole.RELEASE, "argument 1"));

    assertThat(section(many.subList(0, 64)).synchronisation()).hasSize(64);
    assertThatThrownBy(() -> section(many))
        .hasMessageContaining("synchronisation has 65 entries, want at most 64");
  }

  @Test
  void shouldTellTheAnalysisWhichFunctionsRelease() {
    RacesSection races =
        new RacesSection(
            true,
            true,
            List.of(
                section(LockRole.ACQUIRE, "argument 1"),
                new SynchronisationSection(
                    "g",
                    LockRole.RELEASE,
                    LockMode.EXCLUSIVE,
                    new CallValue("argument 1"),
                    Optional.empty())),
            List.of(),
            false,
            1,
            1,
            Optional.empty(),
            16,
            Optional.empty());

    assertThat(races.options().dropsInitialisation()).isFalse();
    assertThat(races.options().ownLocks().functions().names()).containsExactlyInAnyOrder("f", "g");
    assertThat(races.options().ownLocks().releasing().names()).containsExactly("g");
  }
}
