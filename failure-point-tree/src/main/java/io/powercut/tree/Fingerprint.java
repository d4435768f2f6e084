package io.powercut.tree;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Identity of a finding that survives a rebuild of the target: made of function names and the kind
 * of failure, not of addresses or lines.
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
          "\"" + value + "\" is no fingerprint: expected 16 hexadecimal digits");
    }
  }

  /**
   * The fingerprint of a failure of that kind at that stack.
   *
   * <p>Frames that start the program or a thread do not count, inlined functions do (what is
   * inlined changes from build to build), a function without a name counts as its module, and the
   * suffixes of functions cloned by the compiler are left off.
   */
  public static Fingerprint of(CallStack stack, String failureKind) {
    Hasher hasher = Hashing.sha256().newHasher();
    addName(hasher, failureKind);
    String before = "";
    for (Frame frame : stack.framesOfProgram()) {
      for (SourcePosition position : frame.positions()) {
        String name =
            position.function().isEmpty()
                ? frame.module() + "+?"
                : COMPILER_SUFFIX.matcher(position.function()).replaceAll("");
        if (!name.equals(before)) {
          addName(hasher, name);
        }
        before = name;
      }
    }
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
