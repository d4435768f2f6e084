// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The user's locale, where the launcher gave Java another one: names of files are UTF-8 for
 * Powercut, also where the locale has ASCII only. Commands get the user's.
 */
public final class OwnLocale {
  private static final String PROPERTY = "powercut.locale";
  private static final String VARIABLE = "LC_ALL";

  private OwnLocale() {}

  /** Puts it back into the environment of a process that is to be started. */
  public static void restore(Map<String, String> environment) {
    changes()
        .forEach(
            (name, value) -> {
              if (value == null) {
                environment.remove(name);
              } else {
                environment.put(name, value);
              }
            });
  }

  /** What puts it back: the value of each variable; nothing for one that is to be removed. */
  static Map<String, @Nullable String> changes() {
    String former = System.getProperty(PROPERTY);
    return former == null
        ? Map.of()
        : Collections.singletonMap(VARIABLE, former.isEmpty() ? null : former);
  }
}
