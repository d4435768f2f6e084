// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import java.io.IOException;
import java.nio.file.Path;

/** A private copy of a crash image that recovery may change at will. Closing it deletes it. */
public interface ImageCopy extends AutoCloseable {
  /** The directory that holds the copy's files. */
  Path directory();

  @Override
  void close() throws IOException;
}
