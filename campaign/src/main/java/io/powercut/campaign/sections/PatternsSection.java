// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import io.powercut.analysis.PatternKind;
import io.powercut.campaign.binding.Key;
import io.powercut.tree.Severity;
import java.util.List;

/** What is looked for in the trace of the recorded run, beside crash images. */
public record PatternsSection(
    @Key(
            value =
                "Search for patterns of misused persistent memory. The recorder then keeps the call stack"
                    + " of every store, which costs some time.",
            defaultValue = "true")
        boolean enabled,
    @Key(
            value =
                "Report warnings too: suspicious code that is not proved wrong. Bugs and performance bugs"
                    + " are always reported.",
            defaultValue = "true")
        boolean warnings,
    @Key(
            value = "Patterns that are not reported; docs/patterns.md explains each.",
            example = "[multi-store-flush, unordered-fence]")
        List<PatternKind> ignore) {
  public PatternsSection {
    ignore = List.copyOf(ignore);
  }

  /**
   * Whether a pattern is reported.
   *
   * @param kind of the pattern
   */
  public boolean shows(Severity severity, PatternKind kind) {
    return (warnings || severity != Severity.WARNING) && !ignore.contains(kind);
  }
}
