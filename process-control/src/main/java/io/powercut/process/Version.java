// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.util.Optional;

/** The version of this Powercut. It is written once, in the project's pom. */
public final class Version {
  /** What classes that are in no jar tell. */
  private static final String UNPACKAGED = "development";

  private Version() {}

  /** As the build wrote it into the jar of this class, such as {@code 1.2.3}. */
  public static String current() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse(UNPACKAGED);
  }
}
