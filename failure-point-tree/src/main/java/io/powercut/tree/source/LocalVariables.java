// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a function computes before it stores: where, as in {@code long *p = at(pool, offset)}, or
 * what, as in {@code let v = htole32(value)}. It also may check what it is given, and hold a lock
 * meanwhile. Without all that, its body is what it does for its callers.
 */
final class LocalVariables {
  /** With a value, in C and C++, Go or Rust. */
  private static final Pattern DECLARATION =
      Pattern.compile(
          "let\\s+(?:mut\\s+)?(?<rust>\\w+)\\s*(?::(?!:)[^=;]*)?=(?!=)(?<ofRust>.*)"
              + "|(?<go>\\w+)\\s*:=(?<ofGo>.*)"
              + "|(?!(?:return|delete|throw|else|goto|static|extern|case|let)\\b)"
              + "(?:[A-Za-z_][\\w:]*+(?:<[^=;<>]*+>)?+[\\s*&]++)+(?<c>\\w+)\\s*=(?!=)(?<ofC>.*)",
          Pattern.DOTALL);

  /** Calls that compute something of numbers, pointers, buffers or texts. */
  private static final Pattern COMPUTATION =
      Pattern.compile(
          "sizeof|offsetof|_*builtin_\\w*bswap\\w*|bswap_?\\d+|(?:htole|htobe|cpu_to_le|cpu_to_be)\\d+"
              + "|hton[ls]|to_[lbn]e(?:_bytes)?|swap_bytes|strlen|size|size_bytes|length|len|data|begin|end|cap"
              + "|c_str|as_(?:mut_)?(?:ptr|slice|bytes|str|ref)|add|sub|offset|cast|min|max|MIN|MAX|Pointer"
              + "|u?int(?:ptr|\\d+)?(?:_t)?|s?size_t|off_t|long|unsigned|char|wrapping_\\w+"
              + "|pmemobj_direct|D_R[WO]|direct|from_raw_parts(?:_mut)?|borrow_mut|likely|unlikely");

  /** What is read from memory was not given, as the place that an allocator hands out next. */
  private static final Pattern READS =
      Pattern.compile("->|\\[|\\.\\s*\\w+(?!\\w|\\s*\\()|(?:^|[-+*/%<>=!~^&|?:,(])\\s*\\*");

  private static final Pattern CALL =
      Pattern.compile("(?<!\\w)(\\w+)\\s*(?:<[\\w:*&, ]*>\\s*)?\\(");

  private static final Pattern UNSAFE = Pattern.compile("(?<!\\w)unsafe\\s*\\{([^{}]*)\\};?");

  private static final String ENDS =
      "(?:throw\\b|(?:std::)?(?:abort|_*exit|terminate)\\s*\\(|die\\w*\\s*\\(|panic!?\\s*\\("
          + "|log\\.(?:Fatal|Panic)\\w*\\s*\\(|__builtin_(?:trap|unreachable)\\s*\\()[^;{}]*";

  /** The same, for callers that check what they get. */
  private static final String FAILS =
      "(?:(?:\\w+\\s*=\\s*-\\s*\\w+\\s*;\\s*goto\\s+\\w+)"
          + "|return\\s*\\(?\\s*(?:-\\s*\\w+|NULL|nullptr|false|E[A-Z]+|\\w*ERR\\w*|Err\\([^;{}]*|fmt\\.Errorf[^;{}]*)\\s*\\)?)";

  /** Where functions end. */
  private static final Pattern LABEL =
      Pattern.compile("(?<=[;}])\\s*\\w+\\s*:(?!:)\\s*(?=return\\b)");

  /** What is called to do something, and what is done with its result: that is for callers. */
  private static final Pattern PASSED_ON =
      Pattern.compile(
          "(?:(?:(?:\\w+\\s+)*(?<result>\\w+)\\s*:?=\\s*)?(?<call>[^=;{}()]+\\([^;{}]*\\))\\s*;"
              + "(?:\\s*if\\s*\\(?[^;{}()]*\\)?\\s*(?:return\\b[^;{}()]*|\\{[;\\s]*return\\b[^;{}()]*[;\\s]*\\})\\s*;)?"
              + "(?:\\s*return\\b[^;{}()]*;)?"
              + "|if\\s*\\(\\s*!?\\s*(?<tested>\\w+\\s*\\([^;{}<>]*\\))\\s*(?:[!=<>]+\\s*\\w+\\s*)?\\)"
              + "\\s*return\\b[^;{}()]*;\\s*return\\b[^;{}()]*;)\\s*",
          Pattern.DOTALL);

  private static final Pattern STATISTIC =
      Pattern.compile(
          "(?<object>\\w+)\\s*->\\s*(?:stat(?:s|istics)\\s*\\.\\s*\\w+"
              + "|(?:n_?|num_?)?(?:puts|writes|stores|flushes|syncs|fences|calls|ops|updates|bytes(?:_written)?|written))"
              + "\\s*(?:\\+\\+|\\+=\\s*\\w+)");

  /** Goes no further if something does not hold. */
  private static final Pattern CHECK =
      Pattern.compile(
          "(?<!\\w)if\\b(?:(?<before>[^{};]*)\\{[;\\s]*"
              + "(?:"
              + ENDS
              + "|"
              + FAILS
              + ")[;\\s]*\\}|\\s*\\((?<inside>(?:[^();{}]++|\\((?:[^();{}]++|\\([^();{}]*+\\))*+\\))*+)\\)\\s*"
              + "(?:"
              + ENDS
              + "|"
              + FAILS
              + ");)(?!\\s*else\\b)");

  private static final Pattern LOCK =
      Pattern.compile(
          "(?:defer\\s+)?[\\w.]+\\.R?(?:Lock|Unlock)\\s*\\(\\s*\\)"
              + "|pthread_(?:mutex|rwlock|spin)_\\w*lock\\s*\\(.*\\)"
              + "|(?:std::)?(?:lock_guard|scoped_lock|unique_lock|shared_lock)\\b.*",
          Pattern.DOTALL);

  /** Room for a value of a few bytes. */
  private static final Pattern ROOM =
      Pattern.compile(
          "var\\s+(?<array>\\w+)\\s+\\[\\d+\\]byte|(?<slice>\\w+)\\s*:=\\s*make\\(\\[\\]byte,\\s*\\d+\\)");

  /** A value as it is written to a file: the same value in the order of bytes that the file has. */
  private static final Pattern ENCODED =
      Pattern.compile(
          "binary\\.\\w+Endian\\.PutUint\\d+\\(\\s*(?<room>\\w+)(?:\\[:\\])?\\s*,(?<put>[^,]*)\\)"
              + "|let\\s+(?<rust>\\w+)\\s*=\\s*(?<bytes>\\w+)\\.to_[lbn]e_bytes\\(\\)"
              + "|(?:\\w+\\s+)+(?<c>\\w+)\\s*=\\s*(?:(?:hto[bl]e|cpu_to_[bl]e)\\d+|hton[lsq]+)\\s*\\((?<of>[^()]*)\\)");

  /** Up to the second argument of a call, or the only one: the first one says where to. */
  private static final Pattern ARGUMENTS_BUT_FIRST =
      Pattern.compile("^[^(]*\\((?:[^,]*,)?", Pattern.DOTALL);

  private final Set<String> known;

  /** What was read from memory. */
  private final Set<String> read = new HashSet<>();

  private final Predicate<String> storesNothing;
  private final Predicate<String> storesItself;

  private LocalVariables(
      Set<String> parameters, Predicate<String> storesNothing, Predicate<String> storesItself) {
    this.known = new HashSet<>(parameters);
    this.storesNothing = storesNothing;
    this.storesItself = storesItself;
  }

  /**
   * The body without them. What is computed of a parameter counts as one.
   *
   * @param storesNothing whether a function that it calls is known to store nothing
   * @param storesItself whether one is known to store
   */
  static FunctionBody removedFrom(
      FunctionBody body, Predicate<String> storesNothing, Predicate<String> storesItself) {
    String text = LABEL.matcher(UNSAFE.matcher(body.text()).replaceAll("$1;")).replaceAll(" ");
    LocalVariables variables = new LocalVariables(body.parameters(), storesNothing, storesItself);
    String checked =
        CHECK
            .matcher(text)
            .replaceAll(
                check ->
                    variables.onlyComputes(
                            Optional.ofNullable(check.group(1)).orElse(check.group(2)))
                        ? " "
                        : Matcher.quoteReplacement(check.group()));
    if (checked.indexOf('{') >= 0) {
      return body;
    }
    StringBuilder left = new StringBuilder();
    for (String statement : Splitter.on(';').trimResults().omitEmptyStrings().split(checked)) {
      if (!variables.isDeclared(statement)
          && !variables.isMessage(statement)
          && !isStatistic(statement, text)
          && !LOCK.matcher(statement).matches()) {
        if (variables.storesWhatWasRead(statement)) {
          return body;
        }
        left.append(statement).append("; ");
      }
    }
    return new FunctionBody(
        left.toString().strip(), Set.copyOf(variables.known), body.isC(), body.isInitialisation());
  }

  /**
   * The body without what only encodes a value that it is given, to write it: the encoded value
   * counts as given.
   */
  static FunctionBody encodedIn(FunctionBody body) {
    Set<String> known = new HashSet<>(body.parameters());
    Set<String> rooms = new HashSet<>();
    StringBuilder left = new StringBuilder();
    for (String statement : Splitter.on(';').split(body.text())) {
      Matcher room = ROOM.matcher(statement.strip());
      Matcher encoded = ENCODED.matcher(statement.strip());
      if (LOCK.matcher(statement.strip()).matches()) {
        continue;
      }
      if (room.matches()) {
        rooms.add(Optional.ofNullable(room.group("array")).orElse(room.group("slice")));
      } else if (encoded.matches() && isOfGiven(encoded, known, rooms)) {
        known.add(first(encoded, "room", "rust", "c"));
      } else {
        left.append(statement).append(';');
      }
    }
    return new FunctionBody(
        left.toString(), Set.copyOf(known), body.isC(), body.isInitialisation());
  }

  private static boolean isOfGiven(Matcher encoded, Set<String> known, Set<String> rooms) {
    String room = encoded.group("room");
    return (room == null || rooms.contains(room))
        && Splitter.on(FunctionBody.NO_WORD)
            .splitToStream(first(encoded, "put", "bytes", "of"))
            .anyMatch(known::contains);
  }

  private static String first(Matcher found, String... groups) {
    return Arrays.stream(groups).map(found::group).filter(Objects::nonNull).findFirst().orElse("");
  }

  /**
   * Whether it counts what is done, in an object that holds where the mapping is: that is volatile.
   */
  private static boolean isStatistic(String statement, String text) {
    Matcher count = STATISTIC.matcher(statement);
    return count.matches()
        && Pattern.compile(
                "(?<!\\w)" + count.group("object") + "\\s*->\\s*m?map(?:ping|ped)?\\s*\\+")
            .matcher(text)
            .find();
  }

  /** Whether it only tells what is done. */
  private boolean isMessage(String statement) {
    Matcher call = CALL.matcher(statement);
    return call.lookingAt()
        && HarmlessNames.areOfMessages(call.group(1))
        && !storesItself.test(call.group(1))
        && onlyComputes(statement.substring(call.end()));
  }

  /**
   * The body without what only passes on to callers the result of what it calls: then it does
   * nothing else but to call that.
   */
  static FunctionBody withoutResult(FunctionBody body) {
    Matcher call = PASSED_ON.matcher(body.text().strip());
    return call.matches()
        ? new FunctionBody(
            Optional.ofNullable(call.group("call")).orElseGet(() -> call.group("tested")).strip(),
            body.parameters(),
            body.isC(),
            body.isInitialisation())
        : body;
  }

  private boolean isDeclared(String statement) {
    Matcher declaration = DECLARATION.matcher(statement);
    if (!declaration.matches()) {
      return false;
    }
    String language =
        declaration.group("rust") != null ? "Rust" : declaration.group("go") != null ? "Go" : "C";
    String value = declaration.group("of" + language);
    if (!onlyComputes(value)) {
      return false;
    }
    String name = declaration.group(language.toLowerCase(Locale.ROOT));
    if (READS.matcher(value).find()) {
      read.add(name);
    } else if (words(value).anyMatch(known::contains)) {
      known.add(name);
    }
    return true;
  }

  /** Whether a statement stores what was read before, beside or in place of what is given. */
  private boolean storesWhatWasRead(String statement) {
    String value =
        FunctionBody.Change.in(statement)
            .map(FunctionBody.Change::value)
            .orElse(ARGUMENTS_BUT_FIRST.matcher(statement).replaceFirst(""));
    return words(value).anyMatch(read::contains);
  }

  private static Stream<String> words(String expression) {
    return Splitter.on(FunctionBody.NO_WORD).splitToStream(expression);
  }

  private boolean onlyComputes(String expression) {
    return FunctionBody.Change.in(expression).isEmpty()
        && Count.in(expression).isEmpty()
        && !FunctionBody.ASSEMBLY.matcher(expression).find()
        && CALL.matcher(expression)
            .results()
            .map(call -> call.group(1))
            .allMatch(name -> COMPUTATION.matcher(name).matches() || storesNothing.test(name));
  }
}
