// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history.html;

import io.powercut.report.rundir.RunDirectory;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Links from the page to runs, relative, so that page and runs can be moved together.
 *
 * @param folder of the page, absolute
 */
record Links(Path folder) {
  private static final List<String> FORMS = List.of("report.html", "report.json");

  /**
   * A link to the report in a run directory.
   *
   * @return nothing when it has none, or was removed
   */
  Optional<String> to(Path directory) {
    return FORMS.stream()
        .map(new RunDirectory(directory).path()::resolve)
        .filter(Files::exists)
        .findFirst()
        .map(this::relative);
  }

  private String relative(Path file) {
    try {
      return "./"
          + new URI(null, null, "/" + folder.relativize(file), null).getRawPath().substring(1);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("a path is always a path of a URI", e);
    }
  }
}
