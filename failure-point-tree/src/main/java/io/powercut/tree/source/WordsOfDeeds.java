// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the words of a function's name say that it does: programs call what persists, orders or
 * copies for them by few words.
 */
public final class WordsOfDeeds {
  /** Words that say that a function persists, orders or copies. */
  private static final Set<String> DEED =
      Set.of(
          "persist",
          "flush",
          "clflush",
          "clflushopt",
          "clwb",
          "sfence",
          "mfence",
          "fence",
          "drain",
          "barrier",
          "mb",
          "wmb",
          "msync",
          "writeback",
          "memcpy",
          "memmove",
          "memset",
          "movnt",
          "movnti",
          "ntstore",
          "cas",
          "xchg",
          "cmpxchg",
          "pflush",
          "cflush",
          "cacheflush",
          "cpersist",
          "pwb",
          "pfence",
          "psync",
          "pbarrier",
          "wbarrier",
          "pcommit",
          "dccvap",
          "cvap");

  /** Words that do so beside another word of this kind: alone they are what any program does. */
  private static final Set<String> DEED_OF_MEMORY = Set.of("store", "copy", "write", "sync", "set");

  /** Words that say what memory is meant, and how. */
  private static final Set<String> OF_MEMORY =
      Set.of(
          "pm",
          "pmem",
          "nvm",
          "nvram",
          "nv",
          "pcm",
          "scm",
          "nt",
          "mem",
          "memory",
          "temporal",
          "atomic");

  /** Words that mean nothing by themselves. */
  private static final Set<String> NEUTRAL =
      Set.of(
          "line",
          "lines",
          "cache",
          "cacheline",
          "cachelines",
          "range",
          "region",
          "addr",
          "address",
          "all",
          "and",
          "then",
          "with",
          "no",
          "non",
          "opt",
          "impl",
          "helper",
          "wrapper",
          "inline",
          "util",
          "utils",
          "detail",
          "data",
          "bytes",
          "byte",
          "word",
          "buffer",
          "ptr",
          "pointer",
          "relaxed",
          "release",
          "acquire",
          "seq",
          "cst",
          "full",
          "avx",
          "sse",
          "asm",
          "x",
          "arch",
          "cpu",
          "u",
          "int",
          "uint",
          "long",
          "t",
          "s",
          "i",
          "n",
          "to",
          "from",
          "now",
          "do",
          "wait",
          "nodrain",
          "nofence",
          "nocache",
          "noflush",
          "single",
          "multi",
          "one",
          "compiler",
          "deep",
          "internal");

  /** Words that say so in what is called, however they are joined: {@code pmflush}. */
  private static final Pattern PERSISTS =
      Pattern.compile(
          "(?:asm|c|p|pm|pmem|nv|nvm|pcm|scm|cache|do|my)?"
              + "(?:flush|clflush|clwb|persist|writeback|fence|drain|barrier)"
              + "(?:opt|it|n|all|cache|line|lines|cacheline|range|buffer|more)?"
              + "|[slmp]fence|w?mb|pwb|wb|psync|wbarrier|pcommit|msync|cl(?:wb|flush)opt|(?:dc)?cvap|dsb");

  /** Words beside these in what is called. */
  private static final Set<String> BESIDE = Set.of("mm", "thread", "it");

  private static final Pattern ORDER =
      Pattern.compile("(?i)fence|barrier|drain|persist|sync|dsb|commit|\\bmb\\b");

  private static final Pattern ORDERS =
      Pattern.compile(".*(?:fence|barrier|drain)|[wr]?mb|psync|dsb|pcommit");

  private static final Pattern WORD_ENDS =
      Pattern.compile("[^\\p{L}\\p{M}0-9]+|(?<=\\p{Ll})(?=[\\p{Lu}0-9])|(?<=[0-9])(?=\\p{L})");

  private WordsOfDeeds() {}

  /**
   * Whether a function only persists, orders or copies what others tell it to: all of its words
   * speak of that.
   *
   * @param words of its name, in lower case
   */
  public static boolean onlyPersistOrCopy(List<String> words) {
    boolean persists = false;
    boolean stores = false;
    boolean ofMemory = false;
    for (String word : words) {
      boolean isDeed = DEED.contains(word);
      boolean isDeedOfMemory = DEED_OF_MEMORY.contains(word);
      boolean isOfMemory = OF_MEMORY.contains(word);
      if (!isDeed && !isDeedOfMemory && !isOfMemory && !isNeutral(word)) {
        return false;
      }
      persists |= isDeed;
      stores |= isDeedOfMemory;
      ofMemory |= isOfMemory;
    }
    return persists || (stores && ofMemory);
  }

  /**
   * Whether something that a function calls only persists or orders, and stores nothing: all of its
   * words speak of that. They may be joined, as macros are called.
   *
   * @param name {@code asm_clflush}
   */
  static boolean persist(String name) {
    List<String> words = words(name);
    return words.stream().anyMatch(WordsOfDeeds::isToPersist)
        && words.stream()
            .allMatch(
                word ->
                    isToPersist(word)
                        || OF_MEMORY.contains(word)
                        || isNeutral(word)
                        || BESIDE.contains(word));
  }

  /**
   * Whether something that a function calls flushes and does not wait for that: it is an
   * instruction, or named after one.
   *
   * @param name {@code _mm_clwb}
   */
  static boolean onlyFlush(String name) {
    return persist(name) && name.matches("(?i)(?:.*_)?(?:clwb|clflushopt)|pmem_flush");
  }

  /** Whether it does not wait as far as its text shows. */
  static boolean waitNowhere(String text) {
    return !ORDER.matcher(text).find();
  }

  /**
   * Whether what only persists or orders does the latter: it need not be told where.
   *
   * @param name of what {@linkplain #persist persists or orders}
   */
  static boolean order(String name) {
    return words(name).stream().anyMatch(word -> ORDERS.matcher(word).matches());
  }

  /** The words of a name, in lower case: {@code store}, {@code release} of {@code storeRelease}. */
  public static List<String> words(String name) {
    return WORD_ENDS
        .splitAsStream(name)
        .filter(word -> !word.isEmpty())
        .map(word -> word.toLowerCase(Locale.ROOT))
        .toList();
  }

  private static boolean isToPersist(String word) {
    return PERSISTS.matcher(word).matches();
  }

  /** Whether a word means nothing by itself. */
  static boolean isNeutral(String word) {
    return NEUTRAL.contains(word) || Character.isDigit(word.charAt(0));
  }
}
