// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.powercut.campaign.template.Placeholder;
import java.util.EnumSet;

/** Where a string is used, which decides the placeholders it may have. */
public enum Scope {
  /** In an execution: all placeholders and parameters. */
  EXECUTION(EnumSet.allOf(Placeholder.class), true),
  /** Before any execution: only what does not belong to one. */
  BUILD(EnumSet.of(Placeholder.HOME), true),
  /** In a parameter: all placeholders, but no other parameter. */
  PARAMETER(EnumSet.allOf(Placeholder.class), false);

  private final ImmutableSet<Placeholder> placeholders;
  private final boolean parameters;

  Scope(EnumSet<Placeholder> placeholders, boolean parameters) {
    this.placeholders = Sets.immutableEnumSet(placeholders);
    this.parameters = parameters;
  }

  /** True if this placeholder has a value there. */
  public boolean has(Placeholder placeholder) {
    return placeholders.contains(placeholder);
  }

  /** True if the campaign's parameters have a value there. */
  public boolean hasParameters() {
    return parameters;
  }
}
