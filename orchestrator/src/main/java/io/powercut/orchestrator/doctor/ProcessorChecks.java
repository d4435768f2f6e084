// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What the processor can do, from {@code /proc/cpuinfo}. */
final class ProcessorChecks {
  private static final List<String> FLUSHES = List.of("clflush", "clflushopt", "clwb");

  private ProcessorChecks() {}

  static List<Check> of(List<String> processorInformation, String architecture, int processors) {
    List<Check> checks = new ArrayList<>();
    checks.add(
        architecture.equals("amd64")
            ? Check.ok("architecture", "x86-64, " + processors + " processors")
            : Check.failure(
                "architecture",
                architecture,
                "use an x86-64 machine: the recorder supports no other"));
    Set<String> flags = flags(processorInformation);
    for (String flush : FLUSHES) {
      checks.add(
          flags.contains(flush)
              ? Check.ok("processor: " + flush, "yes")
              : Check.warning(
                  "processor: " + flush,
                  "no",
                  "the recorder emulates it, but recovery runs natively and must not need it"));
    }
    if (flags.stream().anyMatch(flag -> flag.startsWith("avx512"))) {
      checks.add(
          Check.ok(
              "processor: AVX-512", "yes; hidden from the target, since Valgrind cannot run it"));
    }
    return checks;
  }

  private static Set<String> flags(List<String> processorInformation) {
    return processorInformation.stream()
        .filter(line -> line.startsWith("flags"))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .map(line -> Arrays.stream(line.split("\\s+")).collect(Collectors.toSet()))
        .orElse(Set.of());
  }
}
