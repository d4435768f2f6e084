// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Identity of a finding that survives a rebuild of the target: made of names and texts, not of
 * addresses or line numbers.
 *
 * @param value 16 lower-case hexadecimal digits
 */
public record Fingerprint(String value) {
  private static final int DIGITS = 16;
  private static final Pattern COMPILER_SUFFIX =
      Pattern.compile(
          "\\.(constprop|isra|part|cold|lto_priv|llvm)(\\.\\d+)?(?=\\.|$)|\\s*\\[clone [^\\]]*\\]");

  public Fingerprint {
    if (!value.matches("[0-9a-f]{16}")) {
      throw new IllegalArgumentException(
          "\"" + value + "\" is not a fingerprint: expected 16 hexadecimal digits");
    }
  }

  /**
   * The fingerprint of something that is wrong with code.
   *
   * @param what is wrong
   * @param code the places to fix, in words that stay when lines move and the target is rebuilt
   */
  public static Fingerprint ofCode(String what, List<String> code) {
    Hasher hasher = Hashing.sha256().newHasher();
    addName(hasher, what);
    code.forEach(place -> addName(hasher, place));
    return of(hasher);
  }

  /**
   * The fingerprint of a failure of that kind at that stack; see {@link #ofFunctions}.
   *
   * <p>Frames that start the program or a thread do not count, inlined functions do (what is
   * inlined changes from build to build).
   */
  public static Fingerprint of(CallStack stack, String failureKind) {
    return ofFunctions(
        stack.framesOfProgram().stream()
            .flatMap(
                frame ->
                    frame.positions().stream()
                        .map(position -> name(position.function(), frame.module())))
            .toList(),
        failureKind);
  }

  /** What a function counts as in a stack: one without a name counts as its module. */
  public static String name(String function, String module) {
    return function.isEmpty() ? module + "+?" : function;
  }

  /**
   * The fingerprint of a failure of that kind below these functions.
   *
   * <p>The suffixes of functions cloned by the compiler are left off, and a function that calls
   * itself counts once.
   *
   * @param functions innermost first, as {@link #name} has them
   */
  public static Fingerprint ofFunctions(List<String> functions, String failureKind) {
    Hasher hasher = Hashing.sha256().newHasher();
    addName(hasher, failureKind);
    String before = "";
    for (String function : functions) {
      String name = COMPILER_SUFFIX.matcher(function).replaceAll("");
      if (!name.equals(before)) {
        addName(hasher, name);
      }
      before = name;
    }
    return of(hasher);
  }

  private static Fingerprint of(Hasher hasher) {
    return new Fingerprint(hasher.hash().toString().substring(0, DIGITS));
  }

  private static void addName(Hasher hasher, String name) {
    hasher.putString(name, StandardCharsets.UTF_8).putByte((byte) 0);
  }

  @Override
  public String toString() {
    return value;
  }
}
