// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where PM files and run directories can live. */
final class StorageChecks {
  private static final long MEBIBYTE = 1024 * 1024;
  private static final long PM_WANTED = 512 * MEBIBYTE;
  private static final long RUNS_WANTED = 1024 * MEBIBYTE;

  private StorageChecks() {}

  static List<Check> of(Path temporaryFileSystem, Path runs, List<String> mounts) {
    List<Check> checks = new ArrayList<>();
    checks.add(
        space(
            "tmpfs for PM files",
            temporaryFileSystem,
            PM_WANTED,
            "make it larger: mount -o remount,size=4G " + temporaryFileSystem));
    checks.add(dax(mounts));
    checks.add(space("space for run directories", runs, RUNS_WANTED, "free some, or use --runs"));
    return checks;
  }

  private static Check space(String subject, Path directory, long wanted, String remedy) {
    Path existing = directory.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = existing.getParent() == null ? Path.of("/") : existing.getParent();
    }
    try {
      FileStore store = Files.getFileStore(existing);
      String detail =
          "%s (%s), %d MiB free"
              .formatted(existing, store.type(), store.getUsableSpace() / MEBIBYTE);
      if (!Files.isWritable(existing)) {
        return Check.failure(subject, detail + ", not writable", "grant yourself write permission");
      }
      return store.getUsableSpace() < wanted
          ? Check.warning(subject, detail, remedy)
          : Check.ok(subject, detail);
    } catch (IOException e) {
      return Check.failure(subject, e.toString(), remedy);
    }
  }

  private static Check dax(List<String> mounts) {
    return mounts.stream()
        .filter(line -> line.matches(".*[ ,]dax(=always|=inode)?[ ,].*"))
        .findFirst()
        .map(line -> Check.ok("DAX", line.split(" ")[1]))
        .orElse(
            Check.ok(
                "DAX",
                "no DAX mount; a tmpfs is enough, with PMEM_IS_PMEM_FORCE=1 for PMDK programs"));
  }
}
