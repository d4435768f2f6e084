// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.dataraces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which data races a campaign suppresses. */
class SuppressedRacesTest {
  private record Frame(String function, String file, int line, String module, String address)
      implements UserCode.Function {
    static Frame of(String function, String file) {
      return new Frame(function, file, 7, "app", "0x10");
    }
  }

  private static final List<Frame> STACK =
      List.of(
          Frame.of("Stats::add(int)", "/work/src/stats.cpp"), Frame.of("serve", "/work/main.cpp"));

  private static boolean covers(String function, String file) {
    return new SuppressedRaces(Optional.ofNullable(function), Optional.ofNullable(file))
        .covers(STACK);
  }

  @ParameterizedTest
  @CsvSource({
    "Stats::add,, true",
    "Stats::*,, true",
    "serve,, true",
    "add,, false",
    ", stats.cpp, true",
    ", src/stats.cpp, true",
    ", /work/src/*, true",
    ", tats.cpp, false",
    ", src/*.c, false",
    "serve, main.cpp, true",
    "serve, stats.cpp, false",
  })
  void shouldMatchOneFrameOfTheStack(String function, String file, boolean covered) {
    assertThat(covers(function, file)).isEqualTo(covered);
  }

  @Test
  void shouldNotMatchEverything() {
    assertThatThrownBy(() -> new SuppressedRaces(Optional.empty(), Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a function, a file, or both");
  }
}
