// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.installation;

import io.powercut.exit.PowercutException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * A Powercut that came from a package, and that its user may not be able to write to. A checkout is
 * none.
 *
 * @param home the folder of the {@code powercut} script
 * @param shared the folder of the campaigns and workloads that come with it, without symbolic links
 * @param workloads tells the workloads of different packages apart
 */
record Installation(Path home, Path shared, String workloads) {
  /** The file that makes a folder an installation. The script packaging/build writes it. */
  private static final String RELEASE = "release";

  /** A link to {@link #shared}. */
  private static final String SHARED = "share";

  private static final String KEY = "workloads";

  /**
   * The installation at a home, if it is one.
   *
   * @throws PowercutException if it is damaged
   */
  static Optional<Installation> at(Path home) {
    Path release = home.resolve(RELEASE);
    if (!Files.exists(release)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(release)) {
      properties.load(reader);
      String workloads = properties.getProperty(KEY, "");
      if (!workloads.matches("[0-9a-f]{8,64}")) {
        throw new IOException("it has no line workloads=DIGEST");
      }
      return Optional.of(new Installation(home, home.resolve(SHARED).toRealPath(), workloads));
    } catch (IOException | IllegalArgumentException e) {
      throw PowercutException.notTrustworthy(
          "the installation in %s is damaged (%s: %s); install Powercut again"
              .formatted(home, release, e.getMessage()));
    }
  }
}
