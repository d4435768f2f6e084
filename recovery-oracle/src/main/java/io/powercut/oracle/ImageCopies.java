// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import java.io.IOException;

/** Gives private copies of one crash image. */
@FunctionalInterface
public interface ImageCopies {
  /**
   * A new copy, the same each time.
   *
   * @throws IOException if it cannot be made, for example because there is no space; the verdict is
   *     inconclusive then
   */
  ImageCopy fresh() throws IOException;
}
