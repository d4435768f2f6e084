// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Said;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code powercut races} on a program with locks of its own making. */
@Tag("campaign")
class OwnLocksTest {
  private static final String CAMPAIGN =
      """
      parameters: {kind: version, variant: bug}
      setup: {command: [%1$s, create, "{pm}"]}
      target: {command: [%1$s, run, "{pm}", "{kind}", "{variant}"]}
      recovery: {command: [%1$s, check, "{pm}"]}
      """;

  private static final String LOCKS =
      """
      races:
        synchronisation:
          - {function: "Node::writeLock*", role: try-acquire, lock: argument 1, success: byte at argument 2 is zero}
          - {function: "Node::writeUnlock()", role: release, lock: argument 1}
          - {function: bucket_try_lock, role: try-acquire, lock: argument 1, success: true}
          - {function: bucket_unlock, role: release, lock: argument 1}
          - {function: bit_lock, role: acquire, lock: argument 1 + argument 2}
          - {function: bit_unlock, role: release, lock: argument 1 + argument 2}
          - {function: table_lock, role: acquire, lock: result}
          - {function: table_unlock, role: release, lock: value at argument 1 + 8}
          - {function: lock_everything, role: acquire, lock: number 1}
          - {function: unlock_everything, role: release, lock: number 1}
      """;

  private static final String NONE = "races  0 consequence, 0 observed, 0 region, 0 lockset\n";

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path program;

  @BeforeAll
  static void build() {
    program = workbench.compile("programs/own-locks.cc");
  }

  private static Said races(String locks, String kind, String variant) {
    Path campaign = workbench.write("own-locks.yaml", CAMPAIGN.formatted(program) + locks);
    return Workbench.powercut(
        "races",
        campaign.toString(),
        "--set",
        "parameters.kind=" + kind,
        "--set",
        "parameters.variant=" + variant);
  }

  private static List<String> found(Said said) {
    assertThat(said.exitCode()).as(said.errors()).isZero();
    return said.output()
        .lines()
        .filter(line -> line.contains(" what "))
        .map(line -> line.replaceAll("^[A-Z]+ +| at \\S+", "").replace("loads", "may load"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "bucket", "bit", "pointed-to", "everything", "shared-mutex"})
  void shouldFollowLocksThatAreDeclared(String kind) {
    assertThat(found(races(LOCKS, kind, "bug")))
        .containsExactly("copy_slots may load what write_slots stored, before it is persisted");
    assertThat(races(LOCKS, kind, "fixed").output()).isEqualTo(NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"flag", "swapped", "bucket"})
  void shouldFollowWordsThatAreSwapped(String kind) {
    assertThat(found(races("races: {atomics: true}\n", kind, "bug")))
        .containsExactly("copy_slots may load what write_slots stored, before it is persisted");
    assertThat(races("races: {atomics: true}\n", kind, "fixed").output()).isEqualTo(NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "flag"})
  void shouldNotKnowLocksThatAreNotDeclared(String kind) {
    assertThat(found(races("", kind, "fixed")))
        .contains("copy_slots may load what write_slots stored, before it is persisted");
  }

  @Test
  void shouldSayWhereTheLockWasAcquired() {
    assertThat(races(LOCKS, "version", "bug").output())
        .containsPattern(
            "stored: .*, which holds own lock 0x[0-9a-f]+ since version_lock at .*own-locks.cc:");
    assertThat(races("races: {atomics: true}\n", "flag", "bug").output())
        .containsPattern("stored: .*, which holds atomic word 0x[0-9a-f]+ since flag_lock at ");
  }

  @Test
  void shouldSayWhichFunctionsItDidNotSee() {
    String locks =
        """
        races:
          synchronisation:
            - {function: bucket_trylock, role: try-acquire, lock: argument 1, success: true}
            - {function: bucket_try_lock, role: try-acquire, lock: argument 1, success: 2}
            - {function: bucket_unlock, role: release, lock: argument 1}
            - {function: bit_lock, role: acquire, lock: argument 1}
        """;

    assertThat(races(locks, "bucket", "fixed").errors())
        .contains(
            "races.synchronisation.0.function is bucket_trylock, but no function of the target or its"
                + " libraries has that name (inlined functions do not count); did you mean"
                + " bucket_try_lock?",
            "races.synchronisation.1.function is bucket_try_lock, which was called but never succeeded."
                + " Check its success, 2: of a result of one byte",
            "races.synchronisation.3.function is bit_lock, which this run did not call.")
        .doesNotContain("synchronisation.2");
  }
}
