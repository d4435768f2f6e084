// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

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
                """))
        .containsExactly(
            new MacroCall(
                "    static void put_a( struct a (*)(int) *to,   struct a (*)(int) v )    { *to = v; }",
                5,
                6),
            new MacroCall("    static void put_long( long *to,   long v )    { *to = v; }", 7, 7));
  }

  @Test
  void macrosWithoutABlockShouldHaveNone() {
    assertThat(MacroCall.in("#define FENCE() sfence()\nFENCE();\nSETTER(int)\n")).isEmpty();
    assertThat(MacroCall.in("")).isEmpty();
  }

  @Test
  void whatIsMissingShouldStay() {
    assertThat(MacroCall.in("#define A(x, y) void x(int y) { }\nA(f)\n"))
        .extracting(MacroCall::text)
        .containsExactly(" void f(int y) { }");
  }
}
