// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import com.github.luben.zstd.util.ZstdVersion;
import io.powercut.process.UnpackedLibrary;

/** The native half of zstd-jni. */
final class ZstdLibrary {
  private static final String FILE = "ZstdNativePath";

  private ZstdLibrary() {}

  /**
   * Points zstd-jni to it, before its first use. If it cannot be unpacked, that does as it likes.
   */
  static synchronized void provide() {
    if (System.getProperty(FILE) != null) {
      return;
    }
    String name = "libzstd-jni-" + ZstdVersion.VERSION + ".so";
    UnpackedLibrary.of(ZstdVersion.class, "/linux/amd64/" + name, "trace", name)
        .ifPresent(library -> System.setProperty(FILE, library.toString()));
  }
}
