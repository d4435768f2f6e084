// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MacroCallTest {
  @Test
  void callShouldBeWhatItStandsFor() {
    assertThat(
            MacroCall.in(
                """
                #define SETTER(T, name) \\
                  static void put_##name( T *to,   T v ) \\
                  { *to = v; }
                #define LINE 64
                SETTER(struct a (*)(int),
                       a)
                  SETTER (long,long)
                """,
                List.of()))
        .containsExactly(
            new MacroCall(
                "    static void put_a( struct a (*)(int) *to,   struct a (*)(int) v )    { *to = v; }",
                5,
                6),
            new MacroCall("    static void put_long( long *to,   long v )    { *to = v; }", 7, 7));
  }

  @Test
  void macrosWithoutABlockShouldHaveNone() {
    assertThat(MacroCall.in("#define FENCE() sfence()\nFENCE();\nSETTER(int)\n", List.of()))
        .isEmpty();
    assertThat(MacroCall.in("", List.of())).isEmpty();
  }

  @Test
  void whatIsMissingShouldStay() {
    assertThat(MacroCall.in("#define A(x, y) void x(int y) { }\nA(f)\n", List.of()))
        .extracting(MacroCall::text)
        .containsExactly(" void f(int y) { }");
  }

  @Test
  void macroMayBeOfAHeader() {
    assertThat(MacroCall.in("A(f)\n", List.of("#define A(x) void x(int y) { }\n")))
        .containsExactly(new MacroCall(" void f(int y) { }", 1, 1));
  }
}
