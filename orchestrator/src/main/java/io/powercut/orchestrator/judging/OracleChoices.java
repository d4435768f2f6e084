// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.campaign.sections.OracleSection;
import io.powercut.oracle.OracleSettings;

/** What a campaign says to the oracle. */
final class OracleChoices {
  /** Recovery runs once, and nothing is found out about how it died. */
  static final OracleSettings ONCE =
      new OracleSettings(
          false,
          false,
          OracleSettings.DEFAULT.debugger(),
          OracleSettings.DEFAULT.debuggerLimit(),
          OracleSettings.DEFAULT.coreLimit());

  private OracleChoices() {}

  static OracleSettings of(OracleSection section) {
    OracleSettings defaults = OracleSettings.DEFAULT;
    return new OracleSettings(
        section.doubleCheck(),
        defaults.crashStacks(),
        defaults.debugger(),
        defaults.debuggerLimit(),
        defaults.coreLimit());
  }
}
