// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.yaml;

import static java.util.Objects.requireNonNull;

/**
 * Text that is not YAML, or more of YAML than a campaign needs; nothing after it can be understood.
 */
public final class YamlSyntaxException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Origin origin;

  public YamlSyntaxException(Origin origin, String message) {
    super(message);
    this.origin = requireNonNull(origin, "origin is null");
  }

  /** Where the text stops making sense. */
  public Origin origin() {
    return origin;
  }
}
