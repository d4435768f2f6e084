// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a function does for its callers, as far as its source shows.
 *
 * @param text between the braces, without comments and texts, and without what does nothing
 * @param parameters names of what it is given
 * @param isC whether it is in C, which has no references: then members of variables are volatile
 * @param isInitialisation whether it is a constructor that does nothing but store what it is given
 */
record FunctionBody(String text, Set<String> parameters, boolean isC, boolean isInitialisation) {
  /** Of no constructor. */
  FunctionBody(String text, Set<String> parameters, boolean isC) {
    this(text, parameters, isC, false);
  }

  static final Pattern NO_WORD = Pattern.compile("\\W");
  static final Pattern ASSEMBLY = Pattern.compile("(?<!\\w)_*asm_*(?!\\w)");
  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?<![=!<>])=(?!=)(?<value>.*)", Pattern.DOTALL);

  /** A variable that is declared or assigned, and not memory. */
  private static final Pattern TO_VARIABLE =
      Pattern.compile("\\s*(?:[\\w:<>,]+[\\s*&]+)*\\w+\\s*=(?!=)");

  /** A statement that decides or repeats does more than its callers ask for: it can hang. */
  private static final Pattern CONTROL =
      Pattern.compile("(?:if|while|for|do|switch|goto)\\b.*", Pattern.DOTALL);

  private static final Pattern LOOP =
      Pattern.compile("(?<!\\w)(?:while|for|do|switch|goto|loop)(?!\\w)");

  private static final Pattern UNSAFE = Pattern.compile("(?<!\\w)unsafe\\s*\\{([^{}]*)\\};?");

  /** What is done on a condition only, without an alternative. */
  private static final Pattern BLOCK =
      Pattern.compile("(?<!\\w)if\\b([^{};]*)\\{([^{}]*)\\}(?!\\s*else\\b)");

  private static final Pattern CONDITION =
      Pattern.compile("if\\s*\\((?<what>(?:[^()]++|\\((?:[^()]++|\\([^()]*+\\))*+\\))*+)\\)");

  private static final Pattern RETURN = Pattern.compile("(?<!\\w)return(?!\\w)");

  /** What is returned: in Rust, the last expression is. */
  private static final Pattern EXPRESSION = Pattern.compile("(?:return\\b)?\\s*(?<what>[^;{}]+);?");

  /** A number, or a type that something is converted to. Other names may be of variables. */
  private static final Pattern VALUE =
      Pattern.compile(
          "\\d\\w*|(?:un)?signed|int|long|short|char|float|double|bool|u?int\\d+_t|s?size_t"
              + "|uintptr_t|as|[iuf]\\d+|[iu]size");

  private static final Pattern COUNT = Pattern.compile("\\+\\+|--");

  /** To a member, to an element, or through a pointer. */
  private static final Pattern ACCESS =
      Pattern.compile("->|\\[|[a-zA-Z_)]\\s*\\.|(?:^|[-+*/%<>=!~^&|?:,(])\\s*[*&]");

  private static final Pattern CALL =
      Pattern.compile("(?<!\\w)(?!(?:if|while|for|switch|sizeof|return)\\b)\\w+!?\\s*\\(");

  /** A store to where a pointer points, of a value. */
  private static final List<Pattern> STORES =
      List.of(
          Pattern.compile(
              "\\*\\s*(?:\\([^()]*\\)\\s*)?(?<to>\\w+)\\s*=(?!=)(?<value>.*)", Pattern.DOTALL),
          Pattern.compile("(?<to>\\w+)\\s*\\[[^\\]]*\\]\\s*=(?!=)(?<value>.*)", Pattern.DOTALL),
          Pattern.compile(
              "(?:\\w+::)*(?:write(?:_volatile|_unaligned)?|atomic_store(?:_explicit)?"
                  + "|__atomic_store_n|mem(?:cpy|move|set))\\s*\\(\\s*(?:&\\s*mut\\s+)?(?<to>\\w+)"
                  + "(?:\\.\\w+)?\\s*,(?<value>.*)\\)",
              Pattern.DOTALL),
          Pattern.compile("(?<to>\\w+)(?:->|\\.)store\\s*\\((?<value>.*)\\)", Pattern.DOTALL),
          Pattern.compile(
              "(?:return\\s+)?(?:::)?\\s*new\\s*\\(\\s*(?:\\w+_cast\\s*<[^<>]*>\\s*\\(\\s*|\\([^()]*\\)\\s*)?&?\\s*"
                  + "(?<to>\\w+)[\\s)]*\\)\\s*[\\w:<>\\s]+?\\((?<value>[^,;]*)\\)",
              Pattern.DOTALL));

  /** An object that is made where it is told, of one value in braces. */
  private static final Pattern PLACED =
      Pattern.compile(
          "(?<new>(?<!\\w)new\\s*\\((?:[^(){};]++|\\([^(){};]*+\\))*+\\)\\s*[\\w:<>]+)\\s*\\{(?<value>[^,;{}]*)\\}");

  /** The same of a member. */
  private static final Pattern MEMBER_STORE =
      Pattern.compile(
          "(?<to>\\w+)(?:(?:->|\\.)\\w+|\\[[^\\]]*\\])+\\s*=(?!=)(?<value>.*)", Pattern.DOTALL);

  /** The same of a method to a member of its object. */
  private static final List<Pattern> OWN_STORE =
      List.of(
          Pattern.compile(
              "(?:this\\s*->\\s*|self\\s*\\.\\s*)?(?<to>\\w+)\\s*=(?!=)(?<value>.*)",
              Pattern.DOTALL));

  /** Of what may be such a member, or a variable. */
  private static final Pattern OWN_CHANGE =
      Pattern.compile(
          "(?:if\\s*\\(.*?\\)\\s*)?(?:this\\s*->\\s*|self\\s*\\.\\s*)?"
              + "(?:\\w+\\s*(?:[-+*/%&|^]?=(?!=).*|\\+\\+|--)|(?:\\+\\+|--)\\s*\\w+)",
          Pattern.DOTALL);

  /** Before the equals sign. */
  private static final Pattern OPERATOR = Pattern.compile("[-+*/%&|^]$");

  private static final Pattern IN_MEMORY =
      Pattern.compile("\\s*\\*.*|.*(?:->|\\.|\\[).*", Pattern.DOTALL);

  /** Of functions that store to where they are told. */
  private static final String COPIES =
      "\\w*mem(?:cpy|move|set)\\w*|st[rp]\\w*cpy|v?sn?printf|\\w*atomic_\\w+|__sync_\\w+|_mm\\w*_stream\\w*";

  private static final String IN_BRACKETS = "(?:[^()\\[\\]]++|\\([^()\\[\\]]*+\\))*+";

  /** A place in memory as methods name it in Rust: an object, an element, or a pointer. */
  private static final String PLACE =
      "(?:\\w++(?:::\\w++)*+(?:<[\\w:*&, ]*+>)?(?:\\[%1$s\\]|\\(%1$s\\))?|\\(%1$s\\))(?:\\.\\w++(?:\\[%1$s\\]|\\(%1$s\\))?)*"
          .formatted(IN_BRACKETS);

  /** Such a call, or one of a method that does it, of C++, Rust or Go. */
  private static final Pattern COPY_CALL =
      Pattern.compile(
          "(?:(?:\\w+::)*(?:"
              + COPIES
              + "|copy(?:_n|_nonoverlapping)?|write_(?:volatile|unaligned|bytes))"
              + "|(?:std|ptr)::fill(?:_n)?|(?:\\w+::)*ptr::write"
              + "|"
              + PLACE
              + "\\.(?:(?:copy|clone)_from_slice|fill|copy_from(?:_nonoverlapping)?|store"
              + "|write(?:_volatile|_unaligned|_bytes)?)"
              + "|(?:binary\\.)?(?:Little|Big|Native)Endian\\.PutUint\\d+|atomic\\.Store\\w+)\\s*\\(");

  /** Of a method that stores to its object; what is before the point of a package is none. */
  private static final Pattern PLACE_OF_METHOD =
      Pattern.compile("(?!(?:binary|atomic)\\.)" + PLACE + "\\.\\w+\\s*\\(");

  /** Calls that may do that. */
  private static final Pattern STORING_CALL =
      Pattern.compile(
          "(?<!\\w)(?:" + COPIES + "|\\w*(?:atomic|stream|store|fetch|exchange)\\w*)\\s*\\(");

  private static final Pattern ONLY_CALL =
      Pattern.compile(
          "(?:return\\s+)?(?:\\w+\\s*(?:->|\\.|::)\\s*)*(?<function>\\w+)\\s*\\((?<arguments>[^;{}]*)\\)\\s*;?");

  private static final Pattern FLUSH =
      Pattern.compile(
          "(?:\\w+::)*(?<function>\\w+)\\s*\\((?<what>(?:[^(),]++|\\([^()]*+\\))*+)"
              + "(?:,(?<size>(?:[^(),]++|\\([^()]*+\\))*+))?\\)");

  private static final Pattern LIST = Pattern.compile("\\w+\\[[^\\]>]*\\]");

  private static final Pattern OF_VARIABLE = Pattern.compile("\\s*\\w+(?:\\s*\\.\\s*\\w+)+\\s*");

  /** Any assignment, also with arithmetic. */
  private static final Pattern CHANGE = Pattern.compile("(?<![=!<>])=(?!=)|(?:<<|>>)=");

  private static final Pattern WRITE =
      Pattern.compile(
          "(?<!\\w)p?writev?(?:64)?\\s*\\((?<arguments>(?:[^()]++|\\([^()]*+\\))*+)\\)");

  /** What may be called around a write: what ends the program, and what complains. */
  private static final Pattern COMPLAINT =
      Pattern.compile(
          "p?writev?(?:64)?|_*exit|abort|die\\w*|errx?|warnx?|perror|strerror|fatal\\w*|panic\\w*|fail\\w*"
              + "|error\\w*|assert|[fd]?printf|f?puts|lseek(?:64)?|throw");

  private static final Pattern END =
      Pattern.compile(
          "(?<!\\w)(?:_*exit|_Exit|abort|raise|kill|longjmp|_*builtin_trap|panic|throw|terminate)(?!\\w)");

  /**
   * Whether it is a single statement, which assigns what it is given or is assembly. What it
   * returns may stand behind that.
   */
  boolean isOneAssignment() {
    String plain = UNSAFE.matcher(text).replaceAll("$1;");
    List<String> statements = statements(plain);
    int last = statements.size() - 1;
    if (last == 1 && IdleStatements.isReturnOfValue(statements.get(last))) {
      if (TO_VARIABLE.matcher(statements.get(0)).lookingAt()) {
        return false; // It only finds what it returns.
      }
      statements.remove(last);
    }
    if (statements.size() != 1
        || plain.indexOf('{') >= 0
        || CONTROL.matcher(statements.get(0)).matches()) {
      return false;
    }
    String statement = statements.get(0);
    Matcher assignment = ASSIGNMENT.matcher(statement);
    Matcher copy = COPY_CALL.matcher(statement);
    return ASSEMBLY.matcher(statement).find()
        || (!storesTwice(statement)
            && ((assignment.find() && hasParameter(assignment.group("value")))
                || (copy.lookingAt() && hasParameter(statement.substring(copy.end())))));
  }

  /**
   * Whether a statement that stores makes another store beside that: it counts where it stores, for
   * example. The order of the two is not its callers'. Without a type, a name may be of a member or
   * a reference, but in C.
   */
  boolean storesTwice(String statement) {
    long counts =
        Count.in(statement).stream()
            .filter(one -> !one.isCursor() && !isVariable(one.of()) && (!isC || one.isOfMemory()))
            .count();
    long changes = CHANGE.matcher(statement).results().count();
    return counts + changes > (COPY_CALL.matcher(statement).lookingAt() ? 0 : 1);
  }

  /** Whether it only computes something of what it is given: a store there is its caller's. */
  boolean isArithmetic() {
    Matcher expression = EXPRESSION.matcher(text.strip());
    return expression.matches()
        && Splitter.on(NO_WORD)
            .omitEmptyStrings()
            .splitToStream(expression.group("what"))
            .allMatch(word -> parameters.contains(word) || VALUE.matcher(word).matches())
        && onlyComputes(expression.group("what"));
  }

  /** Whether an expression neither changes anything, nor reads memory, nor calls a function. */
  static boolean onlyComputes(String expression) {
    return !ACCESS.matcher(expression).find() && changesNothing(expression);
  }

  /** Whether an expression neither changes anything nor calls a function. */
  static boolean changesNothing(String expression) {
    return !COUNT.matcher(expression).find()
        && !ASSIGNMENT.matcher(expression).find()
        && !ASSEMBLY.matcher(expression).find()
        && !CALL.matcher(expression).find();
  }

  /** The function that it does nothing but call, with what it is given. */
  Optional<String> onlyCalls() {
    Matcher call = ONLY_CALL.matcher(text.strip());
    return call.matches() && hasParameter(call.group("arguments"))
        ? Optional.of(call.group("function"))
        : Optional.empty();
  }

  private boolean hasParameter(String expression) {
    return Splitter.on(NO_WORD).splitToStream(expression).anyMatch(parameters::contains);
  }

  /**
   * Whether it stores what it is given to where it is told, once, and beside that does nothing for
   * persistent memory unless it is told to: it may count, for example, or persist if its caller
   * wants that.
   */
  boolean isStoreAndBookkeeping() {
    return storesOnce(STORES, false) || storesOnce(OWN_STORE, false);
  }

  /**
   * Whether it stores the same each time to where it is told, once, and beside that does nothing
   * for persistent memory: it may count.
   */
  boolean isConstantStore() {
    String plain = withoutBlocks();
    if (plain.indexOf('{') >= 0 || LOOP.matcher(plain).find()) {
      return false;
    }
    List<String> statements = statements(plain);
    Optional<String> store = new ConstantStore(statements, parameters).statement();
    return store.isPresent()
        && statements.stream()
            .filter(statement -> !statement.endsWith(store.get()))
            .noneMatch(
                statement ->
                    CONTROL.matcher(statement).matches()
                        || calls(statement)
                        || hasAssembly(statement)
                        || mayStore(statement));
  }

  /** The same; it may call others as well, which persist. */
  boolean isStoreAndPersist() {
    return storesOnce(STORES, true) || storesOnce(OWN_STORE, true);
  }

  /** The same; it may as well be a certain member of what it is given that it stores to. */
  boolean isOneStore() {
    return isStoreAndPersist() || storesOnce(List.of(MEMBER_STORE), true);
  }

  /**
   * Whether it makes one store, whatever it stores and wherever; it may call others, of which it is
   * not known here whether they store.
   */
  boolean isSingleStore() {
    String plain = withoutBlocks();
    if (plain.indexOf('{') >= 0 || LOOP.matcher(plain).find()) {
      return false;
    }
    List<String> statements = statements(plain);
    long stores = statements.stream().filter(this::mayStore).count();
    return (stores > 0 ? stores : statements.stream().filter(this::changesOwn).count()) == 1
        && statements.stream()
            .noneMatch(one -> hasAssembly(one) || (mayStore(one) && storesTwice(one)));
  }

  /**
   * Whether it makes one store, by a copy of what it is given to where it is told, which may be
   * computed of that.
   */
  boolean isSingleCopyOfGiven() {
    return isSingleStore()
        && statements(withoutBlocks()).stream()
            .filter(this::mayStore)
            .allMatch(this::isCopyOfGiven);
  }

  private boolean isCopyOfGiven(String statement) {
    Matcher copy = COPY_CALL.matcher(statement);
    if (!copy.lookingAt()) {
      return false;
    }
    List<String> arguments = PersistingBody.parts(statement.substring(copy.end()));
    boolean isMethod = PLACE_OF_METHOD.matcher(copy.group()).lookingAt();
    return isMethod
        ? hasParameter(copy.group()) && hasParameter(arguments.get(0))
        : arguments.size() > 1 && arguments.stream().limit(2).allMatch(this::hasParameter);
  }

  /**
   * Whether it stores what it is given to where it is told, once, and flushes just that: a fence is
   * its callers' business.
   *
   * @param flushes whether another function of that name does not wait until that is persistent
   */
  boolean isStoreAndFlush(Predicate<String> flushes) {
    List<String> others = new ArrayList<>();
    List<String> stores = new ArrayList<>();
    for (String statement : statements(text)) {
      Matcher flush = FLUSH.matcher(statement);
      (flush.matches() && flushes.test(flush.group("function")) ? others : stores).add(statement);
    }
    if (others.size() != 1 || stores.size() != 1 || text.indexOf('{') >= 0) {
      return false;
    }
    Matcher flush = FLUSH.matcher(others.get(0));
    Optional<String> to = target(stores.get(0));
    return new FunctionBody(stores.get(0), parameters, isC).isOneAssignment()
        && flush.matches()
        && to.isPresent()
        && to.get().equals(plain(flush.group("what")))
        && isSizeOfStore(flush.group("size"), stores.get(0));
  }

  /** What a statement stores to. */
  private static Optional<String> target(String statement) {
    Matcher copy = COPY_CALL.matcher(statement);
    if (copy.lookingAt()) {
      String method = copy.group();
      int point = method.lastIndexOf('.');
      return Optional.of(
          plain(
              point < 0
                  ? PersistingBody.parts(statement.substring(copy.end())).get(0)
                  : method.substring(0, point)));
    }
    return Change.in(statement).map(change -> plain(change.to()));
  }

  /** Without conversions, and without what makes a pointer of a place or the other way round. */
  private static String plain(String place) {
    return PersistingBody.CONVERSION.matcher(place).replaceAll("").replaceAll("[\\s*&()]", "");
  }

  private static boolean isSizeOfStore(@Nullable String size, String store) {
    return size == null
        || size.contains("sizeof")
        || Splitter.on(NO_WORD).splitToList(store).contains(size.strip());
  }

  /** Whether something calls a function that may store to where it is told. */
  static boolean mayStoreByCall(String code) {
    return STORING_CALL.matcher(code).find() || COPY_CALL.matcher(code).find();
  }

  boolean mayStore(String statement) {
    return STORES.stream().anyMatch(store -> store.matcher(statement).matches())
        || mayStoreByCall(statement)
        || storesElsewhere(statement);
  }

  /** Whether it changes what may be a member of a method's object. */
  private boolean changesOwn(String statement) {
    return OWN_CHANGE.matcher(statement).matches();
  }

  private boolean storesOnce(List<Pattern> kinds, boolean mayCall) {
    String plain = withoutBlocks();
    if (plain.indexOf('{') >= 0 || LOOP.matcher(plain).find()) {
      return false;
    }
    List<String> statements = statements(plain);
    List<Matcher> stores =
        statements.stream().flatMap(statement -> givenStore(kinds, statement).stream()).toList();
    if (stores.size() != 1) {
      return false;
    }
    if (storesTwice(stores.get(0).group())) {
      return false;
    }
    Set<String> wishes = wishes(stores.get(0));
    boolean isWished = mayCall;
    for (String statement : statements) {
      if (givenStore(kinds, statement).isPresent()) {
        continue;
      }
      boolean isOnlyIf = depends(statement, wishes);
      if (storesElsewhere(statement)
          || COPY_CALL.matcher(statement).lookingAt()
          || (kinds.equals(OWN_STORE) && changesOwn(statement))
          || (!isWished && !isOnlyIf && (calls(statement) || hasAssembly(statement)))) {
        return false;
      }
      isWished |= isOnlyIf && RETURN.matcher(statement).find();
    }
    return true;
  }

  /**
   * Parameters that are neither what is stored nor where: with them, callers say what they want.
   */
  private Set<String> wishes(Matcher store) {
    Set<String> wishes = new HashSet<>(parameters);
    wishes.remove(store.group("to"));
    wishes.removeAll(Splitter.on(NO_WORD).splitToList(store.group("value")));
    return wishes;
  }

  private static boolean depends(String statement, Set<String> wishes) {
    Matcher condition = CONDITION.matcher(statement);
    return condition.lookingAt()
        && Splitter.on(NO_WORD).splitToStream(condition.group("what")).anyMatch(wishes::contains);
  }

  private static boolean calls(String statement) {
    return CALL.matcher(statement).find();
  }

  private static boolean hasAssembly(String statement) {
    return ASSEMBLY.matcher(statement).find();
  }

  /** The text with conditions before each statement that depends on them, in place of braces. */
  private String withoutBlocks() {
    return BLOCK
        .matcher(PLACED.matcher(UNSAFE.matcher(text).replaceAll("$1;")).replaceAll("$1($2)"))
        .replaceAll(
            block ->
                Matcher.quoteReplacement(
                    statements(block.group(2)).stream()
                        .map(one -> "if (" + block.group(1).strip() + ") " + one + ";")
                        .collect(Collectors.joining())));
  }

  private static List<String> statements(String text) {
    List<String> statements = new ArrayList<>();
    for (String statement : Splitter.on(';').split(text)) {
      if (!statement.isBlank()) {
        statements.add(statement.strip());
      }
    }
    return statements;
  }

  private Optional<Matcher> givenStore(List<Pattern> kinds, String statement) {
    for (Pattern store : kinds) {
      Matcher matcher = store.matcher(statement);
      if (matcher.matches()
          && parameters.contains(matcher.group("to")) != kinds.equals(OWN_STORE)
          && !(kinds.equals(OWN_STORE) && mayStoreByCall(matcher.group("value")))
          && hasParameter(matcher.group("value"))) {
        return Optional.of(matcher);
      }
    }
    return Optional.empty();
  }

  /**
   * Whether a statement may store to persistent memory by itself. To remember in a list where the
   * function stored is no such store.
   */
  private boolean storesElsewhere(String statement) {
    return Count.in(statement).stream().anyMatch(one -> one.isOfMemory() && !isVariable(one.of()))
        || Change.in(statement)
            .filter(one -> one.isOfMemory() && !isVariable(one.to()) && !isRemembered(one))
            .isPresent();
  }

  private boolean isRemembered(Change change) {
    return LIST.matcher(change.to()).matches() && parameters.contains(change.value());
  }

  /** Whether it is a member of a variable, which is volatile in C. */
  private boolean isVariable(String changed) {
    return isC && OF_VARIABLE.matcher(changed).matches();
  }

  /** Whether a statement changes what a pointer points to, or a member, or an element. */
  static boolean changesMemory(String statement) {
    return Count.in(statement).stream()
            .anyMatch(one -> one.isOfMemory() && !OF_VARIABLE.matcher(one.of()).matches())
        || Change.in(statement).filter(Change::isOfMemory).isPresent();
  }

  /** An assignment, an addition and the like. */
  record Change(String to, String value) {
    boolean isOfMemory() {
      return IN_MEMORY.matcher(to).matches();
    }

    /** The one in a statement, which may be on a condition. Not by a pattern: these recurse. */
    static Optional<Change> in(String statement) {
      Matcher condition = CONDITION.matcher(statement);
      int begin = condition.lookingAt() ? condition.end() : 0;
      for (int at = begin; at < statement.length(); at++) {
        char here = statement.charAt(at);
        if (here == '=') {
          return statement.startsWith("==", at)
              ? Optional.empty()
              : Optional.of(
                  new Change(
                      OPERATOR.matcher(statement.substring(begin, at)).replaceFirst("").strip(),
                      statement.substring(at + 1).strip()));
        }
        if (statement.startsWith("<<=", at) || statement.startsWith(">>=", at)) {
          return Optional.of(
              new Change(
                  statement.substring(begin, at).strip(), statement.substring(at + 3).strip()));
        }
        boolean isArrow = here == '>' && at > begin && statement.charAt(at - 1) == '-';
        if ("!<>".indexOf(here) >= 0 && !isArrow) {
          return Optional.empty();
        }
      }
      return Optional.empty();
    }
  }

  private static String called(MatchResult call) {
    return call.group().replaceAll("\\W", "");
  }

  /** Whether it is a loop that copies what it is given, or fills what it is told. */
  boolean isLoopThatCopies() {
    return new CopyingBody(text, parameters).isLoopThatCopies();
  }

  /**
   * Whether it stores something of its own, beside or in place of what it is told. To store once
   * what it is given, and persist that, is not enough; nor is what it does before it ends the
   * program.
   */
  boolean storesItsOwn() {
    return !isOneStore() && !END.matcher(text).find() && new OwnStores(text, parameters).areThere();
  }

  /**
   * Whether it only persists, or orders, what its callers say.
   *
   * @param persists whether another function of that name does
   */
  boolean onlyPersists(Predicate<String> persists) {
    return new PersistingBody(text, parameters, persists).onlyPersists();
  }

  /**
   * Whether it only begins or ends transactions for its callers, or runs in one what they give it.
   *
   * @param others those of the file
   */
  boolean isTransaction(TransactionBody.Others others) {
    return new TransactionBody(text, parameters, others).isForCallers();
  }

  /**
   * Whether it only adds to a transaction what its callers say, and leaves that open.
   *
   * @param others those of the file
   */
  boolean isSnapshot(TransactionBody.Others others) {
    return new TransactionBody(text, parameters, others).onlyAdds();
  }

  /**
   * The same without the statements that are such: what is left says what it does.
   *
   * @param others those of the file
   */
  FunctionBody withoutSnapshots(TransactionBody.Others others) {
    String left =
        statements(withoutBlocks()).stream()
            .filter(one -> !new TransactionBody(one, parameters, others).onlyAdds())
            .map(one -> one + ";")
            .collect(Collectors.joining());
    return new FunctionBody(left, parameters, isC, isInitialisation);
  }

  /**
   * Whether it is a write to a file with checks around it: of so many bytes as it is told, from
   * where it is told.
   */
  boolean isCheckedWrite() {
    Matcher write = WRITE.matcher(text);
    if (!write.find()
        || CALL.matcher(text).results().anyMatch(call -> !COMPLAINT.matcher(called(call)).matches())
        || Splitter.onPattern("[;{}]").splitToStream(text).anyMatch(this::storesElsewhere)) {
      return false;
    }
    List<String> arguments = Splitter.on(',').splitToList(write.group("arguments"));
    return arguments.size() > 2
        && hasParameter(arguments.get(1))
        && hasParameter(arguments.get(2))
        && !arguments.get(2).contains("sizeof")
        && !write.find();
  }
}
