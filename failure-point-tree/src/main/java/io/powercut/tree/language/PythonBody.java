// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The body of a function in Python that may do nothing but write what it is given, to the file or
 * into the mapping that it is given: all of it, whatever a single call writes.
 */
final class PythonBody {
  /** A function, a method, a variable or a member, and whether it is called. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?<!\\w)(?<of>\\.\\s*)?(?<name>[A-Za-z_]\\w*(?:\\s*\\.\\s*[A-Za-z_]\\w*)*)\\s*"
              + "(?:(?<call>\\()|(?<keyword>=(?!=)))?");

  private static final Pattern WORD = Pattern.compile("(?<![\\w.])[A-Za-z_]\\w*");

  /** What decides and repeats, with what is done in the same line. */
  private static final Pattern HEAD =
      Pattern.compile(
          "(?<word>if|elif|while|for|with|else|try|except|finally)\\b(?<rest>.*)", Pattern.DOTALL);

  private static final Pattern FOR =
      Pattern.compile("(?<to>[\\w\\s,()]+?)\\s+in\\s(?<value>.*)", Pattern.DOTALL);

  private static final Pattern WITH =
      Pattern.compile("(?<value>.*)\\sas\\s+(?<to>\\w+)\\s*", Pattern.DOTALL);

  private static final Pattern OF_EXCEPTION =
      Pattern.compile(".*\\sas\\s+(?<to>\\w+)\\s*", Pattern.DOTALL);

  private static final Pattern ASSIGNMENT =
      Pattern.compile(
          "(?<to>[^=!<>]*?)\\s*(?<operator>\\+|-|\\*|//|&|\\||%)?=(?!=)(?<value>.*)",
          Pattern.DOTALL);

  private static final Pattern VARIABLES =
      Pattern.compile("\\(?\\s*\\w+(?:\\s*,\\s*\\w+)*\\s*\\)?");

  /** Of a mapping, or another buffer. */
  private static final Pattern ELEMENT =
      Pattern.compile(
          "[A-Za-z_][\\w.]*\\s*\\[(?<place>.*)\\]"
              + "|ctypes\\.\\w+\\.from_(?:address|buffer)\\s*\\((?<address>.*)\\)\\.value",
          Pattern.DOTALL);

  /** A lock that is held meanwhile. */
  private static final Pattern LOCK = Pattern.compile("(?:\\w+\\.)*\\w*(?:lock|mutex)\\w*");

  /** What ends a function or a loop, or says what has to be so. */
  private static final Pattern PLAIN =
      Pattern.compile("(?:return|raise|assert|pass|break|continue|global)\\b", Pattern.DOTALL);

  /** What Python does by itself; anything else may be done by code that nobody knows here. */
  private static final Pattern UNKNOWN =
      Pattern.compile("(?<!\\w)(?:def|class|lambda|await|yield|del|import|global|nonlocal)(?!\\w)");

  private static final Pattern WRITE = Pattern.compile("os\\.p?writev?");
  private static final Pattern WRITE_OF_FILE = Pattern.compile(".*\\.(?:write|write_byte)");
  private static final Pattern PACK = Pattern.compile("(?:.*\\.)?pack_into");

  private static final Pattern COPY = Pattern.compile("ctypes\\.memmove");

  /** Passes on to the kernel what was written to a file object. */
  private static final Pattern FLUSH = Pattern.compile("(?<file>.*)\\.flush");

  /** Waits until a file or a mapping is persistent. */
  private static final Pattern SYNC = Pattern.compile("os\\.f(?:data)?sync|os\\.sync|.*\\.flush");

  private static final Pattern SEEK = Pattern.compile("os\\.lseek|.*\\.seek");

  /** What computes, waits, complains or ends the program. */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "len|min|max|abs|int|range|bytes|bytearray|memoryview|isinstance|print|repr|str|type|exit"
              + "|(?:json|pickle|marshal)\\.dumps|(?:.*\\.)?pack|struct\\.calcsize|sys\\.exit|os\\._exit|os\\.abort|time\\.sleep"
              + "|select\\.\\w+|warnings\\.warn|sys\\.std(?:err|out)\\.write"
              + "|.*\\.(?:encode|tobytes|to_bytes|cast|release|ljust|rjust|fileno|format)"
              + "|log\\w*\\.(?:debug|info|warning|error|critical|exception)"
              + "|(?:\\w+\\.)*\\w*(?:Error|Exception|Exit)");

  private static final Pattern KEYWORD =
      Pattern.compile("and|or|not|in|is|if|else|return|raise|assert|pass|break|continue|from");

  /** Values that are no variables. */
  private static final Pattern CONSTANT =
      Pattern.compile(
          "True|False|None|[A-Z][A-Z0-9_]*|(?:os|sys|errno|select|socket|signal)\\.\\w+|\\w+\\.(?:errno|nbytes|size)"
              + "|(?:\\w+\\.)*\\w*(?:Error|Exception|Exit)");

  /** It finds a place by a number: that is to choose it. */
  private static final Pattern PRODUCT = Pattern.compile("\\*|<<");

  private static final Pattern MEMBER = Pattern.compile("self\\.\\w+");

  /** Behind a variable. */
  private static final Pattern TYPE = Pattern.compile("(?<=^\\w{1,60})\\s*:.*", Pattern.DOTALL);

  private static final Pattern DIGIT = Pattern.compile("\\d");

  private static final int NOT_CLOSED = -1;

  private final Set<String> parameters;
  private final Predicate<String> others;
  private final boolean maySync;

  /** Expressions, without the words that begin them. */
  private final List<String> expressions = new ArrayList<>();

  private final List<Assignment> assignments = new ArrayList<>();
  private boolean isKnown = true;

  /** Files that are flushed. */
  private final List<String> flushed = new ArrayList<>();

  /** What is given, and what was computed of it. */
  private final Set<String> given = new HashSet<>();

  /** All variables of the function. */
  private final Set<String> variables = new HashSet<>();

  private record Assignment(String to, String value) {}

  private record Call(String function, List<String> arguments) {}

  /**
   * @param lines statements, each with its head, without comments, texts replaced by numbers
   * @param parameters names of what the function is given
   * @param others whether another function of the file only writes what it is given
   * @param maySync whether it may persist that as well
   */
  PythonBody(
      List<String> lines, Set<String> parameters, Predicate<String> others, boolean maySync) {
    this.parameters = parameters;
    this.others = others;
    this.maySync = maySync;
    lines.forEach(this::read);
  }

  private void read(String line) {
    Matcher head = HEAD.matcher(line.strip());
    if (!head.matches()) {
      Splitter.on(';').trimResults().omitEmptyStrings().split(line).forEach(this::readStatement);
      return;
    }
    String rest = head.group("rest");
    int colon = colon(rest);
    if (colon == NOT_CLOSED) {
      isKnown = false;
      return;
    }
    readHead(head.group("word"), rest.substring(0, colon).strip());
    String behind = rest.substring(colon + 1).strip();
    if (!behind.isEmpty()) {
      read(behind);
    }
  }

  private void readHead(String word, String what) {
    switch (word) {
      case "for" -> readBinding(FOR, what);
      case "with" -> {
        if (!LOCK.matcher(what).matches()) {
          readBinding(WITH, what);
        }
      }
      case "except" -> {
        Matcher named = OF_EXCEPTION.matcher(what);
        if (named.matches()) {
          variables.add(named.group("to"));
        }
      }
      default -> expressions.add(what);
    }
  }

  private void readBinding(Pattern form, String what) {
    Matcher binding = form.matcher(what);
    if (binding.matches()) {
      assign(binding.group("to"), binding.group("value"));
    } else {
      isKnown = false;
    }
  }

  private void assign(String to, String value) {
    expressions.add(value);
    for (String variable : words(to).toList()) {
      variables.add(variable);
      assignments.add(new Assignment(variable, value));
    }
  }

  private void readStatement(String statement) {
    Matcher assignment = ASSIGNMENT.matcher(statement);
    if (PLAIN.matcher(statement).lookingAt() || !assignment.matches()) {
      expressions.add(statement);
      return;
    }
    String to = TYPE.matcher(assignment.group("to").strip()).replaceFirst("");
    String value = assignment.group("value").strip();
    if (count(to, '(') > count(to, ')')) {
      expressions.add(statement); // An argument that is named.
    } else if (VARIABLES.matcher(to).matches()) {
      boolean isAdded = assignment.group("operator") != null;
      assign(to, isAdded ? to + " + " + value : value);
    } else {
      Matcher element = ELEMENT.matcher(to);
      isKnown &= element.matches();
      expressions.add(element.matches() ? place(element) : to);
      expressions.add(value);
      assignments.add(new Assignment(to, value));
    }
  }

  private static String place(Matcher element) {
    return Optional.ofNullable(element.group("place")).orElse(element.group("address"));
  }

  private static long count(String text, char wanted) {
    return text.chars().filter(one -> one == wanted).count();
  }

  /** The one that ends a head, not one within brackets. */
  private static int colon(String text) {
    int depth = 0;
    for (int at = 0; at < text.length(); at++) {
      char here = text.charAt(at);
      depth += "([{".indexOf(here) >= 0 ? 1 : ")]}".indexOf(here) >= 0 ? -1 : 0;
      if (here == ':' && depth == 0 && !text.startsWith(":=", at)) {
        return at;
      }
    }
    return NOT_CLOSED;
  }

  /** Whether it writes what it is given, in one place, and does nothing else. */
  boolean isWriteOfGiven() {
    List<Assignment> stores =
        assignments.stream().filter(one -> !VARIABLES.matcher(one.to()).matches()).toList();
    List<Call> writes = new ArrayList<>();
    if (!isKnown
        || expressions.stream().anyMatch(one -> UNKNOWN.matcher(one).find())
        || !expressions.stream().allMatch(one -> isHarmless(one, writes))
        || stores.size() + writes.size() != 1
        || !flushed.stream().allMatch(file -> writes.stream().anyMatch(one -> isTo(file, one)))) {
      return false;
    }
    findGiven();
    return stores.isEmpty() ? isOfGiven(writes.get(0)) : isOfGiven(stores.get(0));
  }

  private static boolean isTo(String file, Call write) {
    return write.function().equals(file + ".write");
  }

  /** Whether an expression does nothing; what it writes is added to a list. */
  private boolean isHarmless(String expression, List<Call> writes) {
    Matcher names = NAME.matcher(expression);
    while (names.find()) {
      String name = names.group("name").replaceAll("\\s", "");
      boolean isMethod = names.group("of") != null;
      if (names.group("call") == null) {
        boolean isArgument = names.group("keyword") != null;
        if (!isArgument && !isValue(name, isMethod)) {
          return false;
        }
      } else if (!HARMLESS.matcher(isMethod ? "." + name : name).matches()
          && !KEYWORD.matcher(name).matches()) {
        Optional<Call> call = call(name, expression, names.end());
        if (isMethod || call.isEmpty() || !isWriteOrSeek(call.get(), writes)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isValue(String name, boolean isMethod) {
    String whole = isMethod ? "it." + name : name;
    return KEYWORD.matcher(whole).matches()
        || CONSTANT.matcher(whole).matches()
        || variables.contains(whole)
        || isFile(whole)
        || (parameters.contains(whole) && !isObject(whole));
  }

  /** Whether a name is that of a file or a mapping: it comes first where it is used. */
  private boolean isFile(String name) {
    boolean isOwn = MEMBER.matcher(name).matches();
    String use = "\\w+\\s*\\((?:0\\s*,\\s*)?" + Pattern.quote(name) + "\\s*,";
    return (isOwn || name.indexOf('.') < 0)
        && !isObject(name)
        && expressions.stream()
            .anyMatch(
                one -> (isOwn && one.equals(name)) || Pattern.compile(use).matcher(one).find());
  }

  private static boolean isObject(String name) {
    return name.equals("self") || name.equals("cls");
  }

  private static Optional<Call> call(String function, String text, int begin) {
    List<String> arguments = new ArrayList<>();
    int depth = 0;
    int from = begin;
    for (int at = begin; at < text.length(); at++) {
      char here = text.charAt(at);
      if (depth == 0 && (here == ',' || here == ')')) {
        arguments.add(text.substring(from, at).strip());
        from = at + 1;
        if (here == ')') {
          return Optional.of(new Call(function, arguments));
        }
      }
      depth += "([{".indexOf(here) >= 0 ? 1 : ")]}".indexOf(here) >= 0 ? -1 : 0;
    }
    return Optional.empty();
  }

  private boolean isWriteOrSeek(Call call, List<Call> writes) {
    String function = call.function();
    if (maySync && SYNC.matcher(function).matches()) {
      return true;
    }
    Matcher flush = FLUSH.matcher(function);
    if (flush.matches() && call.arguments().equals(List.of(""))) {
      flushed.add(flush.group("file"));
      return true;
    }
    if (SEEK.matcher(function).matches()) {
      return true; // What it goes to is looked at where the write is.
    }
    boolean isWrite =
        WRITE.matcher(function).matches()
            || WRITE_OF_FILE.matcher(function).matches()
            || PACK.matcher(function).matches()
            || COPY.matcher(function).matches()
            || others.test(function.replaceFirst("^self\\.", ""));
    if (isWrite) {
      writes.add(call);
    }
    return isWrite;
  }

  private void findGiven() {
    parameters.stream().filter(name -> !isObject(name)).forEach(given::add);
    boolean isMore = true;
    while (isMore) {
      isMore = false;
      for (Assignment one : assignments) {
        if (words(one.value()).anyMatch(given::contains)) {
          isMore |= given.add(one.to());
        }
      }
    }
  }

  private static Stream<String> words(String expression) {
    return WORD.matcher(expression).results().map(word -> word.group());
  }

  /** A store to an element or a slice of what is given. */
  private boolean isOfGiven(Assignment store) {
    Matcher element = ELEMENT.matcher(store.to());
    return element.matches() && isPlace(place(element)) && isData(store.value());
  }

  private boolean isOfGiven(Call write) {
    List<String> arguments = write.arguments();
    int count = arguments.size();
    if (!seeksWhereItIsTold()) {
      return false;
    }
    if (WRITE.matcher(write.function()).matches()) {
      return count > 1
          && isStored(arguments.get(0))
          && isData(arguments.get(1))
          && arguments.stream().skip(2).allMatch(this::isPlace);
    }
    if (WRITE_OF_FILE.matcher(write.function()).matches()) {
      return count == 1 && isData(arguments.get(0));
    }
    if (COPY.matcher(write.function()).matches()) {
      return count == 3 && isPlace(arguments.get(0)) && isData(arguments.get(1));
    }
    if (PACK.matcher(write.function()).matches()) {
      int first = write.function().equals("struct.pack_into") ? 1 : 0;
      return count > first + 2
          && isPlace(arguments.get(first + 1))
          && arguments.stream().skip(first + 2L).allMatch(this::isData);
    }
    return count > 1
        && isStored(arguments.get(0))
        && arguments.stream().skip(1).allMatch(argument -> isData(argument) && isPlace(argument));
  }

  private boolean seeksWhereItIsTold() {
    return expressions.stream().allMatch(this::seeksWhereItIsTold);
  }

  private boolean seeksWhereItIsTold(String expression) {
    Matcher names = NAME.matcher(expression);
    while (names.find()) {
      String name = names.group("name").replaceAll("\\s", "");
      int place = name.equals("os.lseek") ? 1 : 0;
      if (names.group("call") != null
          && SEEK.matcher(name).matches()
          && call(name, expression, names.end())
              .filter(seek -> seek.arguments().size() > place)
              .filter(seek -> isPlace(seek.arguments().get(place)))
              .isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Whether a file is what is given or of the object's own, and not one that is chosen here. */
  private static boolean isStored(String file) {
    return file.indexOf('[') < 0;
  }

  /** Whether a place is told, and not found by a number. */
  private boolean isPlace(String expression) {
    return words(expression).anyMatch(given::contains)
        && (!PRODUCT.matcher(expression).find()
            || (!DIGIT.matcher(expression).find() && words(expression).allMatch(given::contains)));
  }

  /** Whether what is written is what is given, or a part of that, and never anything else. */
  private boolean isData(String expression) {
    return words(expression).filter(given::contains).anyMatch(this::isAlwaysGiven);
  }

  private boolean isAlwaysGiven(String variable) {
    return assignments.stream()
        .filter(one -> one.to().equals(variable))
        .allMatch(one -> words(one.value()).anyMatch(given::contains));
  }
}
