// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import io.powercut.tree.language.GatheredWrites;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The body of a function that may do nothing but write what it is given to the file that it is
 * given: all of it, whatever a single call writes, and again if that was interrupted.
 */
final class WritingBody {
  private static final String ARGUMENTS =
      "\\s*\\((?<arguments>(?:[^()]++|\\((?:[^()]++|\\((?:[^()]++|\\([^()]*+\\))*+\\))*+\\))*+)\\)";

  /** What writes, or may by its name. */
  private static final Pattern WRITE =
      Pattern.compile("(?<!\\w)(?<function>\\w*[wW]rit(?:e|ing)\\w*)" + ARGUMENTS);

  private static final Pattern CALL_WITH_ARGUMENTS =
      Pattern.compile("(?<!\\w)(?<function>\\w+!?)" + ARGUMENTS);

  private static final Pattern SYSTEM_CALL = Pattern.compile("p?write(?:v2?)?(?:64)?(?:v2)?");

  private static final Pattern OF_STREAM = Pattern.compile("\\w*fwrite\\w*");

  /** A method of a file in Go or Rust, or of a stream in C++. */
  private static final Pattern OF_FILE =
      Pattern.compile(
          "(?<file>\\w+(?:\\s*(?:\\.|->)\\s*\\w+)*)\\s*(?:\\.|->)\\s*"
              + "(?:Write(?:At|String)?|write(?:_all(?:_at)?|_at)?)"
              + ARGUMENTS);

  /** Writes a text that is made of what it is given, in C or by a macro of Rust. */
  private static final Pattern PRINT_CALL = Pattern.compile("v?[fd]printf|fputs|write(?:ln)?!");

  private static final Pattern PRINT =
      Pattern.compile("(?<!\\w)(?<function>" + PRINT_CALL.pattern() + ")" + ARGUMENTS);

  private static final Pattern TERMINAL = Pattern.compile("(?:std::)?std(?:err|out)");

  /** To a stream of C++, also in a condition. */
  private static final Pattern OUTPUT =
      Pattern.compile(
          "(?<=^|[;{}(])\\s*(?<file>\\*?\\w+(?:(?:::|\\.|->)\\w+)*)\\s*(?<parts>(?:<<"
              + "(?:[^<;{}()]++|<(?!<)|\\((?:[^();{}]++|\\([^();{}]*+\\))*+\\))*+)++)(?=[;)])");

  /** Says how to print, or is a number. */
  private static final Pattern MANIPULATOR =
      Pattern.compile(
          "(?:std::)?(?:endl|flush|ends|dec|hex|oct|fixed|scientific|left|right|boolalpha|showbase"
              + "|(?:setw|setfill|setprecision|quoted)(?:\\s*\\([\\w\\s]*\\))?)|\\d+|");

  private static final Pattern OPEN =
      Pattern.compile("(?<!\\w)(?:(?:f|fd)?open|open(?:at)?(?:64)?|creat)" + ARGUMENTS);

  private static final Pattern OPEN_OR_CLOSE =
      Pattern.compile("(?:f|fd)?open|open(?:at)?(?:64)?|creat|f?close");

  private static final Pattern CUT_OFF =
      Pattern.compile("O_(?:TRUNC|EXCL|TMPFILE)|^(?:fopen|creat)");

  /** Says where the next write goes to. */
  private static final Pattern SEEK_CALL =
      Pattern.compile("l?seek(?:64)?|fseeko?(?:64)?|Seek|seekp");

  private static final Pattern SEEK =
      Pattern.compile("(?<!\\w)(?:" + SEEK_CALL.pattern() + ")" + ARGUMENTS);

  private static final Pattern TO_END =
      Pattern.compile(".*(?:\\bEnd\\s*\\(\\s*0\\s*\\)|\\bSEEK_END|SeekEnd)\\s*", Pattern.DOTALL);

  private static final Pattern CALL =
      Pattern.compile(
          "(?<function>(?:\\.|->)flush|(?<!\\w)"
              + "(?!(?:if|while|for|switch|sizeof|return|catch|defined)\\b)(?:errors\\.New|\\w+))!?\\s*\\(");

  /** Such names are also of types and of what a pointer points to. */
  private static final Pattern CAST =
      Pattern.compile(
          "\\(\\s*(?:(?:const|unsigned|signed|struct|volatile|void|char|u?int\\d*(?:_t)?|size_t|off_t|\\w+_t"
              + "|iovec|[Bb]yte)\\b[\\s*]*)+\\)|\\w+_cast\\s*<[^<>]*>");

  /** Where the elements of a list of buffers begin, and how long they are: they are used up. */
  private static final Pattern USED_UP =
      Pattern.compile(".*\\biov_(?:base|len)\\s*\\)*", Pattern.DOTALL);

  /** Of a variable that says what to wait for, and how long. */
  private static final Pattern OF_WAIT =
      Pattern.compile(
          ".*\\b\\w+(?:\\[\\w*\\])?\\s*\\.\\s*(?:fd|r?events|tv_\\w?sec)\\s*", Pattern.DOTALL);

  /** Numbers of what was done, which nothing else depends on. */
  private static final Pattern STATISTIC =
      Pattern.compile(
          "\\s*(?:\\w+\\s*(?:->|\\.)\\s*)?(?:[gm]?_)?(?:stats?|statistics|counters?|metrics)_?\\s*"
              + "(?:->|\\.)\\s*\\w+\\s*");

  /** A file that is a member, or another member of the same object. */
  private static final Pattern OF_OBJECT =
      Pattern.compile(
          "[\\s(&]*(?:if\\s*\\(.*\\)\\s*)?(?<object>\\w+)\\s*(?:->|\\.)\\s*\\w+\\s*",
          Pattern.DOTALL);

  /** Of a file as it is kept in pages. */
  private static final Pattern SIZE_OF_PAGE =
      Pattern.compile(
          "(?<!\\w)(?:\\w+(?:->|\\.))?_?(?:PAGE|BLOCK|SECTOR|page|block|sector)_?(?:SIZE|size|Size)_?(?!\\w)");

  /** Of a structure that is initialised. */
  private static final Pattern INITIALISER =
      Pattern.compile("\\s*\\.\\s*\\w+\\s*=.*", Pattern.DOTALL);

  /** What converts a number, in Go and Rust. */
  private static final Pattern TYPE =
      Pattern.compile("(?<!\\w)(?:as\\s+[ui](?:size|\\d+)|u?int\\d+(?=\\s*\\())");

  /** Behind the variable that gets it. */
  private static final Pattern NAME = Pattern.compile("(?<name>\\w+)\\s*$");

  private static final Pattern FIRST_WORD =
      Pattern.compile("[\\s(&]*(?<word>\\w+).*", Pattern.DOTALL);

  private static final Pattern ADDRESS = Pattern.compile("&\\s*(?<name>\\w+)");

  private static final Pattern SIZE_OF_TYPE = Pattern.compile("\\d+|sizeof\\b[^+*/-]*");

  /** Not within the arguments of another call. */
  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  private static final Pattern LOOP = Pattern.compile("(?<!\\w)(?:while|for|do)(?!\\w)");

  /** Finds a place by a number, for example: that is to choose it. */
  private static final Pattern PRODUCT = Pattern.compile("\\*|<<");

  /** A method's object, which is a parameter in Rust: what it holds was not given to the method. */
  private static final String OBJECT = "self";

  /** What is known of other functions by their names. */
  interface Others {
    /** Whether a function is in the same file. */
    boolean areHere(String function);

    /** Whether it is there, and does nothing but write what it is given. */
    boolean write(String function);

    /** Whether it is there, and does nothing but wait or complain. */
    boolean wait(String function);

    /** Whether it is there, and does nothing but persist files, if that may be done. */
    boolean sync(String function);

    /** Whether the function itself, and those that write, may persist what they write. */
    boolean maySync();
  }

  /** Waits until a file is persistent. */
  private static final Pattern SYNC =
      Pattern.compile("f(?:data)?sync|Sync|sync_(?:all|data)|syncfs|sync_file_range");

  private final FunctionBody body;
  private final List<String> statements;
  private final Others others;

  /** Objects that hold what is written to: they are in volatile memory, as descriptors are. */
  private final Set<String> owners = new HashSet<>();

  /** Parameters, and what begins as one of them. */
  private final Set<String> buffers;

  /** The same, and what was computed of them: lengths, for example. */
  private final Set<String> given;

  WritingBody(FunctionBody whole, Others others) {
    this.body = gatheredIn(LocalVariables.encodedIn(whole));
    this.others = others;
    this.statements =
        Splitter.onPattern("[;{}]").trimResults().omitEmptyStrings().splitToList(body.text());
    this.buffers = new HashSet<>(body.parameters());
    this.buffers.remove(OBJECT);
    this.given = new HashSet<>(buffers);
  }

  private static FunctionBody gatheredIn(FunctionBody body) {
    GatheredWrites writes = GatheredWrites.in(body.text(), body.parameters());
    return new FunctionBody(writes.text(), writes.given(), body.isC(), body.isInitialisation());
  }

  /** Whether it only waits or complains. */
  boolean isWait() {
    return calls().allMatch(call -> HarmlessNames.are(call) || isMessage(call)) && changesNothing();
  }

  /** Whether it only persists a file. */
  boolean isSync() {
    return calls().anyMatch(call -> SYNC.matcher(call).matches())
        && calls().allMatch(call -> SYNC.matcher(call).matches() || HarmlessNames.are(call))
        && changesNothing();
  }

  /** Whether it writes what it is given, by one call, and does nothing else. */
  boolean isWriteOfGiven() {
    if (FunctionBody.ASSEMBLY.matcher(body.text()).find()) {
      return false;
    }
    List<MatchResult> writes = writes();
    if (writes.isEmpty() && !body.isC()) {
      return isOutputOfGiven();
    }
    if (writes.size() != 1 || !mayOpen(writes.get(0))) {
      return false;
    }
    Matcher write = CALL_WITH_ARGUMENTS.matcher(writes.get(0).group());
    if (!write.matches()) {
      return false;
    }
    String writer = write.group("function");
    List<String> arguments = arguments(write);
    findOwners(arguments);
    if (!calls().allMatch(call -> writer.matches(call + "!?") || isHarmless(call))
        || !changesNothing()) {
      return false;
    }
    findGiven(writer);
    return SEEK.matcher(body.text()).results().map(MatchResult::group).allMatch(this::isToldWhere)
        && (isMethodOfFile() || isOfGiven(writer, arguments));
  }

  /** Whether it prints what it is given to a stream of C++ that it is given, in one statement. */
  private boolean isOutputOfGiven() {
    List<MatchResult> outputs =
        OUTPUT.matcher(body.text()).results().filter(one -> !isToConsole(one.group(1))).toList();
    if (outputs.size() != 1) {
      return false;
    }
    String file = outputs.get(0).group(1);
    List<String> parts =
        Splitter.on("<<").trimResults().omitEmptyStrings().splitToList(outputs.get(0).group(2));
    findOwners(List.of(file));
    return calls().allMatch(call -> isHarmless(call) || MANIPULATOR.matcher(call).matches())
        && changesNothing()
        && isStored(file)
        && parts.stream()
            .allMatch(
                part ->
                    MANIPULATOR.matcher(part).matches() || isComputed(part) || isGivenBuffer(part))
        && parts.stream().flatMap(WritingBody::words).anyMatch(body.parameters()::contains);
  }

  private static boolean isToConsole(String stream) {
    return stream.strip().matches("(?:std::)?c(?:out|err|log)");
  }

  /**
   * Whether what it opens for a write is only that file, as it is. To create it or to cut it off is
   * another change, whose order is not its callers'. It is if the power is only cut behind both,
   * where they are persisted.
   */
  private boolean mayOpen(MatchResult write) {
    Matcher opened = OPEN.matcher(body.text());
    if (!opened.find()) {
      return true;
    }
    boolean mayCreate = opened.group().contains("O_APPEND") || write.group().startsWith("pwrite");
    boolean isChanged =
        CUT_OFF.matcher(opened.group()).find()
            || (opened.group().contains("O_CREAT") && !mayCreate);
    return !isChanged
        || CALL.matcher(body.text())
            .region(write.end(), body.text().length())
            .results()
            .anyMatch(call -> SYNC.matcher(call.group(1)).matches());
  }

  /** Calls that write: by their names, or by what the functions of the file do. */
  private List<MatchResult> writes() {
    List<MatchResult> named =
        WRITE.matcher(body.text()).results().filter(one -> !isMessage(one.group(1))).toList();
    if (!named.isEmpty()) {
      return named;
    }
    List<MatchResult> prints =
        PRINT.matcher(body.text()).results().filter(one -> !isToTerminal(one.group())).toList();
    return prints.isEmpty()
        ? CALL_WITH_ARGUMENTS
            .matcher(body.text())
            .results()
            .filter(one -> !isHarmless(one.group(1)) && others.write(one.group(1)))
            .toList()
        : prints;
  }

  private static boolean isToTerminal(String print) {
    Matcher call = PRINT.matcher(print);
    return call.matches()
        && arguments(call).stream().anyMatch(one -> TERMINAL.matcher(one).matches());
  }

  /** What holds the file that is written to, if a member is. */
  private void findOwners(List<String> arguments) {
    Matcher method = OF_FILE.matcher(body.text());
    Stream<String> files = method.find() ? Stream.of(method.group("file")) : arguments.stream();
    files
        .flatMap(file -> Stream.concat(Stream.of(file), valuesOf(file)))
        .map(OF_OBJECT::matcher)
        .filter(Matcher::matches)
        .forEach(file -> owners.add(file.group("object")));
  }

  private Stream<String> valuesOf(String file) {
    return file.matches("\\w+") ? values(file) : Stream.empty();
  }

  private static List<String> arguments(Matcher call) {
    return Splitter.on(COMMA).trimResults().splitToList(withoutCasts(call.group("arguments")));
  }

  /** Whether a file's position is what is given, or its end. */
  private boolean isToldWhere(String seek) {
    Matcher call = SEEK.matcher(seek);
    return call.matches()
        && arguments(call).stream()
            .anyMatch(one -> isComputed(one) || TO_END.matcher(one).matches());
  }

  /**
   * Whether it writes by a method of a file. What that does for a file of the program's own is
   * known of that method.
   */
  private boolean isMethodOfFile() {
    Matcher write = OF_FILE.matcher(body.text());
    if (!write.find() || !isNotChosen(write.group("file"))) {
      return false;
    }
    List<String> arguments = arguments(write);
    return arguments.size() < 3
        && isGivenBuffer(arguments.get(0))
        && arguments.stream().skip(1).allMatch(this::isComputed);
  }

  /** Whether a file is not one of several. */
  private boolean isNotChosen(String file) {
    Matcher first = FIRST_WORD.matcher(file);
    return first.matches() && values(first.group("word")).noneMatch(value -> value.contains("["));
  }

  private static String withoutCasts(String expression) {
    return CAST.matcher(expression).replaceAll("");
  }

  private Stream<String> calls() {
    return CALL.matcher(body.text()).results().map(call -> call.group(1));
  }

  private boolean isHarmless(String call) {
    return HarmlessNames.are(call)
        || isMessage(call)
        || SEEK_CALL.matcher(call).matches()
        || (others.maySync()
            && (SYNC.matcher(call).matches() || OPEN_OR_CLOSE.matcher(call).matches()))
        || others.wait(call)
        || others.sync(call);
  }

  private boolean isMessage(String call) {
    return HarmlessNames.areOfMessages(call) && !others.areHere(call);
  }

  private boolean changesNothing() {
    return statements.stream().noneMatch(this::changesSomething);
  }

  /** Beside variables, what is left to write, and how far the writer of a file is. */
  private boolean changesSomething(String statement) {
    return FunctionBody.changesMemory(statement)
        && !INITIALISER.matcher(statement).matches()
        && !(Count.in(statement).stream().allMatch(one -> isVolatile(one.of()))
            && FunctionBody.Change.in(statement)
                .map(change -> isVolatile(change.to()))
                .orElse(true));
  }

  private boolean isVolatile(String changed) {
    Matcher member = OF_OBJECT.matcher(changed);
    return USED_UP.matcher(changed).matches()
        || OF_WAIT.matcher(changed).matches()
        || STATISTIC.matcher(changed).matches()
        || changed.matches("\\s*\\w+\\s*")
        || (member.matches() && owners.contains(member.group("object")));
  }

  private void findGiven(String writer) {
    for (String statement : statements) {
      FunctionBody.Change.in(statement)
          .filter(change -> !change.value().contains(writer) && isAssignment(change, statement))
          .ifPresent(this::addGiven);
    }
  }

  /** And no addition or the like: what that changes began as something else. */
  private static boolean isAssignment(FunctionBody.Change change, String statement) {
    int operator = statement.indexOf(change.to()) + change.to().length();
    return statement.substring(operator).stripLeading().startsWith("=");
  }

  private void addGiven(FunctionBody.Change change) {
    Matcher name = NAME.matcher(change.to());
    if (!name.find()) {
      return;
    }
    if (isComputed(change.value())) {
      given.add(name.group("name"));
    }
    if (isBuffer(change.value())) {
      buffers.add(name.group("name"));
    }
  }

  private boolean isOfGiven(String writer, List<String> arguments) {
    int count = arguments.size();
    if (SYSTEM_CALL.matcher(writer).matches() && count > 2) {
      return isWrite(arguments);
    }
    if (OF_STREAM.matcher(writer).matches() && count > 2) {
      return isStored(arguments.get(count - 1))
          && isGivenBuffer(arguments.get(0))
          && arguments.subList(1, count - 1).stream().anyMatch(this::isComputed);
    }
    if (PRINT_CALL.matcher(writer).matches()) {
      boolean isFirst = !writer.equals("fputs");
      return isStored(arguments.get(isFirst ? 0 : count - 1))
          && count > 1
          && arguments.subList(isFirst ? 1 : 0, isFirst ? count : count - 1).stream()
              .filter(one -> !one.isBlank())
              .allMatch(one -> isGivenText(one, writer))
          && words(
                  String.join(" ", arguments.subList(isFirst ? 1 : 0, isFirst ? count : count - 1)))
              .anyMatch(given::contains);
    }
    boolean isKnown =
        others.areHere(writer) ? others.write(writer) : LOOP.matcher(body.text()).find();
    return isKnown
        && (count > 2
            ? isWrite(arguments)
            : isGivenBuffer(arguments.get(0))
                && (count == 2 ? isComputed(arguments.get(1)) : others.areHere(writer)));
  }

  /** To a file, of a buffer with its length, and where in the file if that is said. */
  private boolean isWrite(List<String> arguments) {
    return isStored(arguments.get(0))
        && isGivenBuffer(arguments.get(1))
        && arguments
            .subList(isValue(arguments) || isPage(arguments) ? 3 : 2, arguments.size())
            .stream()
            .limit(2)
            .allMatch(this::isComputed);
  }

  /**
   * Whether a text is made of it and nothing else; more arguments may follow that have no names.
   */
  private boolean isGivenText(String argument, String writer) {
    return isComputed(argument)
        || isGivenBuffer(argument)
        || (writer.startsWith("v") && body.text().contains("va_start"));
  }

  private boolean changes(String variable) {
    return Pattern.compile(
            "(?<!\\w)%1$s\\s*(?:[+]{2}|--|[^\\w\\s<>=!]?=(?!=)|(?:<<|>>)=)|(?:[+]{2}|--)\\s*%1$s(?!\\w)"
                .formatted(variable))
        .matcher(body.text())
        .find();
  }

  /** Whether a whole page is written, to where it is told. */
  private static boolean isPage(List<String> arguments) {
    return arguments.size() > 3 && SIZE_OF_PAGE.matcher(arguments.get(2)).matches();
  }

  /** Whether what is written is a parameter that is no pointer, of the size of its type. */
  private boolean isValue(List<String> arguments) {
    Matcher value = ADDRESS.matcher(arguments.get(1));
    return value.matches()
        && body.parameters().contains(value.group("name"))
        && !changes(value.group("name"))
        && SIZE_OF_TYPE.matcher(arguments.get(2)).matches();
  }

  /** Whether an expression is computed of nothing but what is given, as far as one sees. */
  private boolean isComputed(String expression) {
    String plain = TYPE.matcher(withoutPages(withoutCasts(expression))).replaceAll(" ");
    return words(plain).anyMatch(given::contains)
        && !plain.contains("->")
        && !plain.contains("[")
        && !plain.contains("sizeof")
        && (!PRODUCT.matcher(plain).find() || words(plain).allMatch(given::contains));
  }

  /** The number of a page says where it is. */
  private static String withoutPages(String expression) {
    Matcher size = SIZE_OF_PAGE.matcher(expression);
    return size.find() && !expression.matches("(?s).*\\*.*\\*.*")
        ? size.replaceAll(" ").replaceFirst("\\*", " ")
        : expression;
  }

  private static Stream<String> words(String expression) {
    return Splitter.on(FunctionBody.NO_WORD).omitEmptyStrings().splitToStream(expression);
  }

  /** Whether an expression begins as a buffer that is given. */
  private boolean isBuffer(String expression) {
    Matcher first = FIRST_WORD.matcher(withoutCasts(expression));
    return first.matches() && buffers.contains(first.group("word")) && !expression.contains("->");
  }

  /** The same, if nothing else is ever assigned to it. */
  private boolean isGivenBuffer(String argument) {
    Matcher first = FIRST_WORD.matcher(argument);
    return isBuffer(argument)
        && first.matches()
        && values(first.group("word")).allMatch(this::isBuffer);
  }

  /** Whether a file is what is given or of the object's own, and not one that is chosen here. */
  private boolean isStored(String argument) {
    Matcher first = FIRST_WORD.matcher(argument);
    return first.matches()
        && argument.indexOf('[') < 0
        && values(first.group("word"))
            .allMatch(
                value ->
                    value.indexOf('[') < 0
                        && words(value)
                            .anyMatch(
                                word -> body.parameters().contains(word) || word.equals("this")));
  }

  /** What is assigned to a variable. */
  private Stream<String> values(String variable) {
    Pattern assignment =
        Pattern.compile("(?<!\\w)" + variable + "\\s*:?=(?!=)(?<value>.*)", Pattern.DOTALL);
    return statements.stream()
        .map(assignment::matcher)
        .filter(Matcher::find)
        .map(found -> found.group("value"));
  }
}
