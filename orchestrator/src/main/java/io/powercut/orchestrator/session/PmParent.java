// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.campaign.sections.PmSection;
import io.powercut.image.PmArea;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Chooses where a campaign's private PM directories go. */
public final class PmParent {
  private static final Pattern DAX = Pattern.compile("(^|,)dax(=always|=inode)?(,|$)");

  private PmParent() {}

  /** The directory the campaign names, or a DAX mount that can be written, or tmpfs. */
  public static Path of(PmSection pm) {
    return pm.directory().orElseGet(PmParent::automatic);
  }

  private static Path automatic() {
    try {
      return daxMount(Files.readAllLines(Path.of("/proc/mounts")));
    } catch (IOException e) {
      return PmArea.defaultParent();
    }
  }

  static Path daxMount(List<String> mounts) {
    return mounts.stream()
        .map(line -> line.split(" "))
        .filter(fields -> fields.length > 3 && DAX.matcher(fields[3]).find())
        .map(fields -> Path.of(fields[1].replace("\\040", " ")))
        .filter(Files::isWritable)
        .findFirst()
        .orElseGet(PmArea::defaultParent);
  }
}
