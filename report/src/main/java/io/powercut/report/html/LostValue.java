// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.UserCode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a lost store would have changed.
 *
 * @param name what the source assigns there, or the place in the file
 * @param where function and source line
 * @param image what the image holds there
 * @param persisted what it would hold if nothing were lost
 */
record LostValue(String name, String where, String image, String persisted) {
  private static final int LINE = 64;
  private static final int BYTES_SHOWN = 16;
  private static final int SHORTEST_TEXT = 4;
  private static final int LARGEST_DIGIT = 9;

  /** The stores to look at first, as far as their bytes are known. */
  static List<LostValue> of(JudgedState state) {
    return state.shown().lost().stream().flatMap(lost -> of(state, lost).stream()).toList();
  }

  private static Optional<LostValue> of(JudgedState state, JudgedState.Store lost) {
    ImageStore store = lost.store();
    int size = store.bytes().length() / 2;
    long line = store.offset() / LINE * LINE;
    int from = (int) (store.offset() - line);
    return state.lines().stream()
        .filter(one -> one.file().equals(store.file()) && one.offset() == line)
        .filter(one -> size > 0 && from + size <= one.content().length() / 2)
        .findFirst()
        .map(one -> one.content().substring(2 * from, 2 * (from + size)))
        .map(
            image ->
                new LostValue(
                    lost.variable().isEmpty() || !UserCode.hasSource(store.stack())
                        ? "%s+0x%x".formatted(store.file(), store.offset())
                        : lost.variable(),
                    UserCode.of(store.stack()).map(StackFrame::text).orElse(""),
                    value(image, store.size()),
                    value(store.bytes(), store.size())));
  }

  /**
   * Bytes as a number, in x86's order; as text if they look like some; else as they are.
   *
   * @param hexadecimal the first bytes
   * @param size how many there are
   */
  static String value(String hexadecimal, int size) {
    byte[] bytes = HexFormat.of().parseHex(hexadecimal);
    boolean isNumber =
        bytes.length == size && (size == 1 || size == 2 || size == 4 || size == Long.BYTES);
    String shown = isNumber ? number(bytes) : spaced(bytes, size);
    return text(bytes).map(text -> shown + " \"" + text + "\"").orElse(shown);
  }

  private static String number(byte[] bytes) {
    long number = 0;
    for (int index = bytes.length - 1; index >= 0; index--) {
      number = number << Byte.SIZE | Byte.toUnsignedLong(bytes[index]);
    }
    String digits = "0x" + Long.toHexString(number);
    boolean isSmall = number > LARGEST_DIGIT && number <= Integer.MAX_VALUE;
    return isSmall ? String.format(Locale.ROOT, "%s (%,d)", digits, number) : digits;
  }

  private static String spaced(byte[] bytes, int size) {
    int shown = Math.min(bytes.length, BYTES_SHOWN);
    String text = HexFormat.ofDelimiter(" ").formatHex(bytes, 0, shown);
    return shown < size ? text + " …" : text;
  }

  /** The characters in front of zeroes, if there is nothing else. */
  private static Optional<String> text(byte[] bytes) {
    int length = 0;
    while (length < bytes.length && bytes[length] >= ' ' && bytes[length] <= '~') {
      length++;
    }
    for (int index = length; index < bytes.length; index++) {
      if (bytes[index] != 0) {
        return Optional.empty();
      }
    }
    return length < SHORTEST_TEXT
        ? Optional.empty()
        : Optional.of(new String(bytes, 0, length, StandardCharsets.US_ASCII));
  }
}
