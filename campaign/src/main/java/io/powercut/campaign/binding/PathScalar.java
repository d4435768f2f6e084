// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.YamlNode.Kind;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A path, relative to the folder of the file that it is written in; the value is absolute. */
final class PathScalar implements ScalarType<Path> {
  @Override
  public String noun() {
    return "a path";
  }

  @Override
  public String remedy() {
    return "write an absolute path, or one relative to this file";
  }

  @Override
  public Set<Kind> kinds() {
    return Set.of(Kind.STRING);
  }

  @Override
  public Optional<Path> parse(String text, Origin origin) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(origin.directory().resolve(text).normalize());
    } catch (InvalidPathException failure) {
      return Optional.empty();
    }
  }

  @Override
  public String format(Path value) {
    return value.toString();
  }

  @Override
  public String pattern() {
    return "";
  }
}
