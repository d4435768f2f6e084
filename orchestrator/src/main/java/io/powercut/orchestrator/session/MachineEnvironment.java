// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a report says of the machine. */
public final class MachineEnvironment {
  private MachineEnvironment() {}

  public static Map<String, String> describe(Path pmParent) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.version", ""));
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("processor", processor());
    facts.put("pmDirectory", pmParent.toString());
    return facts;
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
