// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.untested;

import com.google.common.base.CharMatcher;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What {@code objdump -d -w --no-show-raw-insn -C} says of a file's functions. */
final class Disassembly {
  private static final int HEXADECIMAL = 16;
  private static final CharMatcher HEXADECIMAL_DIGITS =
      CharMatcher.inRange('0', '9').or(CharMatcher.inRange('a', 'f'));
  private static final Pattern HEAD = Pattern.compile("([0-9a-f]{8,16}) <(.+)>:");

  /** What is after a symbol's name: an offset, a version, or that it is a stub of the linker's. */
  private static final Pattern BEHIND_NAME = Pattern.compile("(?:\\+0x[0-9a-f]+|@.*)$");

  /** Compilers split functions; the parts are one function. */
  private static final Pattern PART =
      Pattern.compile("( \\[clone [^]]*])+$|\\.(?:cold|part|isra|constprop)\\b.*$");

  private static final Pattern PERSISTS =
      Pattern.compile("clwb|clflush(?:opt)?|sfence|v?movnt(?:i|q|dq|ps|pd)|movdir(?:i|64b)");

  /** Functions of libraries that store to PM, persist it, or both. */
  private static final Pattern PERSISTING_FUNCTION =
      Pattern.compile(
          "pmem2?_.*(?:persist|flush|drain|msync|mem(?:cpy|move|set)).*"
              + "|pmemobj_.*(?:persist|flush|drain|mem(?:cpy|move|set)|alloc|free|tx_|list_(?:insert"
              + "|remove|move)|publish|reserve|set_value|strdup).*"
              + "|pmem(?:blk_(?:write|set).*|log_(?:append.*|rewind))"
              + "|msync");

  /**
   * In a static program, those that copy or fill large blocks past the cache, and end with a fence.
   * They do so for all kinds of memory.
   */
  private static final Pattern COPY =
      Pattern.compile(
          "_*mem(?:cpy|move|pcpy|set)(?:_(?:avx|chk|erms|evex|sse|ssse|unaligned).*)?"
              + "|runtime\\.mem(?:move|clr.*)"
              + "|SYSTEM_\\$\\$_(?:MOVE|FILL\\w+)(?:\\$.*)?");

  private final List<Function> functions = new ArrayList<>();

  /**
   * A function.
   *
   * @param name demangled; parts that a compiler split off have the same
   * @param start address of its first instruction
   * @param end address after its last byte, or of its last instruction
   * @param instructions their addresses
   * @param calls the names of the functions that it calls directly
   * @param persists whether it has an instruction that persists, or calls a library's function
   */
  record Function(
      String name,
      long start,
      long end,
      LongArrayList instructions,
      Set<String> calls,
      boolean persists) {}

  private Disassembly() {}

  /** The functions in the lines. Files without symbols have none. */
  static List<Function> functions(Stream<String> lines) {
    Disassembly disassembly = new Disassembly();
    Reader reader = disassembly.new Reader();
    lines.forEach(reader::line);
    reader.end();
    return disassembly.functions;
  }

  /** The name of the function that a symbol belongs to. */
  static String nameOf(String symbol) {
    String plain = BEHIND_NAME.matcher(symbol).replaceFirst("");
    return PART.matcher(plain).replaceFirst("");
  }

  private final class Reader {
    private String symbol = "";
    private long start;
    private LongArrayList instructions = new LongArrayList();
    private Set<String> calls = new HashSet<>();
    private boolean persists;

    // There are few of each, and hundreds of thousands of lines.
    private final Map<String, Boolean> persisting = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Boolean> persistingFunctions = new HashMap<>();

    void line(String line) {
      if (line.endsWith(">:")) {
        Matcher head = HEAD.matcher(line);
        if (head.matches()) {
          end();
          symbol = head.group(2);
          start = Long.parseUnsignedLong(head.group(1), HEXADECIMAL);
          return;
        }
      }
      instruction(line);
    }

    /** Address, colon, tab, mnemonic, operands; other lines say nothing. */
    private void instruction(String line) {
      int begin = CharMatcher.whitespace().negate().indexIn(line);
      int colon = line.indexOf(':');
      if (begin < 0 || colon <= begin || colon + 2 >= line.length()) {
        return;
      }
      String address = line.substring(begin, colon);
      if (!HEXADECIMAL_DIGITS.matchesAllOf(address)
          || line.charAt(colon + 1) != '\t'
          || Character.isWhitespace(line.charAt(colon + 2))) {
        return;
      }
      instructions.add(Long.parseUnsignedLong(address, HEXADECIMAL));
      int behind = CharMatcher.whitespace().indexIn(line, colon + 2);
      int end = behind < 0 ? line.length() : behind;
      look(line.substring(colon + 2, end), line.substring(end));
    }

    private void look(String mnemonic, String operands) {
      persists |= persisting.computeIfAbsent(mnemonic, each -> PERSISTS.matcher(each).matches());
      if (mnemonic.startsWith("call") || mnemonic.startsWith("jmp")) {
        int open = operands.indexOf('<');
        if (open >= 0 && operands.endsWith(">") && open + 2 < operands.length()) {
          String called = operands.substring(open + 1, operands.length() - 1);
          String name = names.computeIfAbsent(called, Disassembly::nameOf);
          calls.add(name);
          persists |=
              persistingFunctions.computeIfAbsent(
                  name, each -> PERSISTING_FUNCTION.matcher(each).matches());
        }
      }
    }

    void end() {
      boolean isFunction = !symbol.isEmpty() && !symbol.startsWith(".") && !symbol.contains("@plt");
      if (isFunction && !instructions.isEmpty()) {
        long last = instructions.getLong(instructions.size() - 1);
        String name = nameOf(symbol);
        calls.remove(name);
        persists &= !COPY.matcher(name).matches();
        functions.add(new Function(name, start, last + 1, instructions, calls, persists));
      }
      symbol = "";
      instructions = new LongArrayList();
      calls = new HashSet<>();
      persists = false;
    }
  }
}
