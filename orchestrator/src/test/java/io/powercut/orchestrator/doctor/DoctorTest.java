// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.doctor.Check.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  @Test
  void missingFlushInstructionShouldBeAWarningWithItsRemedy() {
    List<Check> checks =
        ProcessorChecks.of(List.of("flags\t\t: fpu clflush clflushopt avx512f"), "amd64", 2);

    assertThat(checks)
        .filteredOn(check -> check.status() == Status.WARNING)
        .singleElement()
        .satisfies(
            check -> {
              assertThat(check.subject()).isEqualTo("processor: clwb");
              assertThat(check.remedy()).contains("recovery runs natively");
            });
    assertThat(checks).anyMatch(check -> check.subject().equals("processor: AVX-512"));
  }

  @Test
  void anotherArchitectureShouldBeAFailure() {
    assertThat(ProcessorChecks.of(List.of(), "aarch64", 8).get(0).status())
        .isEqualTo(Status.FAILURE);
  }

  @Test
  void missingValgrindShouldBeAFailureThatSaysWhatToInstall(@TempDir Path home) {
    assertThat(ToolChecks.of(home, command -> Optional.empty()))
        .filteredOn(check -> check.subject().equals("valgrind"))
        .singleElement()
        .satisfies(
            check -> {
              assertThat(check.status()).isEqualTo(Status.FAILURE);
              assertThat(check.remedy()).contains("apt-get install valgrind");
            });
  }

  @Test
  void anotherValgrindShouldBeAWarning(@TempDir Path home) {
    assertThat(ToolChecks.of(home, command -> Optional.of("valgrind-3.24.0")).get(0).status())
        .isEqualTo(Status.WARNING);
  }

  @Test
  void missingLibraryOfInlinedFunctionsShouldBeAWarningThatSaysWhatToInstall(@TempDir Path home) {
    assertThat(ToolChecks.of(home, command -> Optional.empty()))
        .filteredOn(check -> check.subject().equals("inlined functions"))
        .singleElement()
        .satisfies(
            check -> {
              assertThat(check.status()).isEqualTo(Status.WARNING);
              assertThat(check.remedy()).contains("apt-get install libdw1");
            });
    assertThat(ToolChecks.of(home, command -> Optional.of("usage: powercut-inlined")))
        .filteredOn(check -> check.subject().equals("inlined functions"))
        .extracting(Check::status)
        .containsExactly(Status.OK);
  }

  @Test
  void daxMountShouldBeNamed(@TempDir Path runs) {
    List<Check> checks =
        StorageChecks.of(
            Path.of("/dev/shm"),
            runs,
            List.of("/dev/pmem0 /mnt/pm ext4 rw,relatime,dax=always 0 0"));

    assertThat(checks).anyMatch(check -> check.detail().equals("/mnt/pm"));
  }

  @Test
  void pythonWhoseFramesAreUnknownShouldBeAWarning() {
    assertThat(SymbolChecks.ofPython(Optional.of("Python 3.11.2")))
        .hasValueSatisfying(check -> assertThat(check.status()).isEqualTo(Status.OK));
    assertThat(SymbolChecks.ofPython(Optional.of("Python 3.10.13")))
        .hasValueSatisfying(
            check -> {
              assertThat(check.status()).isEqualTo(Status.WARNING);
              assertThat(check.remedy()).contains("3.11");
            });
    assertThat(SymbolChecks.ofPython(Optional.empty())).isEmpty();
    assertThat(SymbolChecks.ofPython(Optional.of("pyenv: python3: command not found"))).isEmpty();
  }
}
