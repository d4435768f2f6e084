// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The body of a function that may only begin or end transactions for its callers, add to one what
 * they say, or run in one what they give it: a wrapper around {@code pmemobj_tx_commit}, the
 * destructor of a guard, or a function that takes a lambda. What belongs into one transaction is
 * not its mistake.
 */
final class TransactionBody {
  private static final Pattern CALL = Pattern.compile("(?<name>[A-Za-z_~]\\w*)!?\\s*\\(");

  private static final Pattern KEYWORD =
      Pattern.compile("(?:if|while|for|switch|catch|sizeof|return|throw|decltype|noexcept|match)");

  /** Before a statement. */
  private static final Pattern HEAD =
      Pattern.compile("(?:(?:else|do|try|return|throw|if|unsafe)(?!\\w)\\s*|for\\s*\\(\\s*)*+");

  /** An object that is made, such as a guard: its type says more than its name. */
  private static final Pattern OBJECT =
      Pattern.compile(
          "(?:const\\s+)?(?:\\w+::)*(?<type>[A-Za-z_]\\w*)(?:\\s*<[^<>]*>)?\\s+(?<name>\\w+)\\s*(?=\\()");

  private static final Pattern DECLARATION =
      Pattern.compile(
          "(?:[A-Za-z_][\\w:]*+(?:<[^<>]*>)?[\\s*&]++){1,6}(?<name>[A-Za-z_]\\w*+)\\s*");

  private static final Pattern NAME = Pattern.compile("(?<name>\\w+)");

  /** Variables that say how far a transaction is. */
  private static final Pattern STATE =
      Pattern.compile(
          "(?:is_?|has_?|was_?|m_|_)?(?:done|committed|active|finished|completed?|ended|aborted|closed"
              + "|ok|success|failed|open|owned|depth|level|nest\\w*|attempts?|retr(?:y|ies)|tries"
              + "|rc|ret|res|result|status|err\\w*|stage)_?",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern COMPLAINT =
      Pattern.compile(
          "_*exit|abort|die\\w*|errx?|warnx?|perror|strerror|fatal\\w*|panic\\w*|fail\\w*|assert\\w*"
              + "|[fd]?printf|f?puts|terminate|rethrow\\w*|current_exception|uncaught_exceptions?"
              + "|\\w*(?:error|Error|exception|Exception|errormsg)\\w*");

  private static final Pattern ONLY_PASSES =
      Pattern.compile("forward|move|invoke|get|data|as_ref|as_mut");

  /** What names a part of memory. */
  private static final Pattern ACCESS = Pattern.compile("->|\\[|[A-Za-z_)]\\w*\\s*\\.\\s*\\w");

  /** Words of transactions. */
  private static final Set<String> OF_TRANSACTIONS = Set.of("tx", "txn", "transaction", "trans");

  /** Words that need none of these beside them. */
  private static final Set<String> ENDS = Set.of("commit", "rollback");

  /** Words of where a transaction begins or ends, of locks, and of what a pool is asked for. */
  private static final Set<String> AROUND =
      Set.of(
          "begin", "start", "end", "finish", "abort", "cancel", "close", "lock", "unlock", "mutex",
          "guard", "scoped", "unique", "shared", "rdlock", "wrlock", "rwlock", "acquire", "release",
          "pthread", "get", "pool", "pop", "by", "ptr", "oid", "errno", "is", "in", "stage",
          "param", "none", "null", "pmemobj", "pmem", "pm");

  /** Words of what a transaction does with memory: callers have to say with which. */
  private static final Set<String> WITHIN =
      Set.of(
          "add",
          "range",
          "direct",
          "snapshot",
          "xadd",
          "common",
          "field",
          "alloc",
          "zalloc",
          "xalloc",
          "realloc",
          "zrealloc",
          "free",
          "xfree",
          "strdup",
          "new",
          "znew",
          "set");

  /** Words of how it is run. */
  private static final Set<String> HOW =
      Set.of("process", "run", "nested", "on", "user", "data", "once", "failure");

  /** The other functions of the file. */
  interface Others {
    /** Whether there is one of that name. */
    boolean areHere(String function);

    /** Whether one of that name does nothing else. */
    boolean areSuch(String function);
  }

  private final String text;
  private final Set<String> parameters;
  private final Others others;
  private final Set<String> locals;
  private boolean hasDeed;

  /** Whether a transaction begins or ends there, as far as this is known. */
  private boolean hasBoundary;

  /**
   * @param text between the braces, without comments and texts
   * @param parameters names of what the function is given
   * @param others the other functions of the file
   */
  TransactionBody(String text, Set<String> parameters, Others others) {
    this.text = text;
    this.parameters = parameters;
    this.others = others;
    this.locals = new HashSet<>(parameters);
  }

  /** Whether it does that, and nothing else: it stores nothing. */
  boolean isForCallers() {
    String plain = PersistingBody.DIRECTIVE.matcher(text).replaceAll(" ");
    if (FunctionBody.ASSEMBLY.matcher(plain).find()) {
      return false;
    }
    for (String statement :
        Splitter.onPattern("[;{}]").trimResults().omitEmptyStrings().split(plain)) {
      String simple = HEAD.matcher(statement).replaceFirst("").replace("this->", "").strip();
      if (!areCallsHarmless(simple) || !changesOnlyItsOwn(simple)) {
        return false;
      }
    }
    return hasDeed;
  }

  /**
   * Whether it only adds to a transaction what its callers say, which is begun and ended elsewhere.
   */
  boolean onlyAdds() {
    return isForCallers() && !hasBoundary;
  }

  private boolean areCallsHarmless(String statement) {
    Matcher object = OBJECT.matcher(statement);
    boolean isObject = object.lookingAt() && !KEYWORD.matcher(object.group("type")).matches();
    if (isObject && !isHarmless(object.group("type"), "")) {
      return false;
    }
    String rest = isObject ? statement.substring(object.end()) : statement;
    Matcher call = CALL.matcher(rest);
    while (call.find()) {
      String name = call.group("name");
      if (!KEYWORD.matcher(name).matches() && !isHarmless(name, rest.substring(call.end()))) {
        return false;
      }
    }
    return true;
  }

  private boolean isHarmless(String name, String arguments) {
    if (parameters.contains(name)
        || COMPLAINT.matcher(name).matches()
        || ONLY_PASSES.matcher(name).matches()) {
      return true;
    }
    List<String> words = WordsOfDeeds.words(name);
    boolean isOfTransaction = words.stream().anyMatch(OF_TRANSACTIONS::contains);
    boolean isEnd = words.stream().anyMatch(ENDS::contains);
    boolean isWithin = words.stream().anyMatch(WITHIN::contains);
    if (!words.stream().allMatch(word -> isKnown(word, isOfTransaction))) {
      return isAnother(name) && !passesFunction(arguments);
    }
    if ((isWithin && !isTold(arguments)) || passesFunction(arguments)) {
      return false;
    }
    hasDeed |= isOfTransaction || isEnd;
    hasBoundary |= isOfTransaction && !isWithin && !words.contains("stage");
    hasBoundary |= isEnd;
    return true;
  }

  private static boolean isKnown(String word, boolean isOfTransaction) {
    return AROUND.contains(word)
        || ENDS.contains(word)
        || OF_TRANSACTIONS.contains(word)
        || (isOfTransaction && (WITHIN.contains(word) || HOW.contains(word)));
  }

  private boolean isAnother(String name) {
    boolean isAnother = others.areSuch(name);
    hasDeed |= isAnother;
    return isAnother;
  }

  /** Whether it has a function run that it chose itself. */
  private boolean passesFunction(String arguments) {
    return Splitter.on(FunctionBody.NO_WORD)
        .omitEmptyStrings()
        .splitToStream(arguments)
        .anyMatch(word -> !parameters.contains(word) && others.areHere(word));
  }

  /** Whether it is the caller that says what memory it is about. */
  private boolean isTold(String arguments) {
    return !ACCESS.matcher(arguments).find()
        && Splitter.on(FunctionBody.NO_WORD)
            .splitToStream(arguments)
            .anyMatch(word -> word.equals("this") || parameters.contains(word));
  }

  private boolean changesOnlyItsOwn(String statement) {
    if (FunctionBody.changesMemory(statement)) {
      return false;
    }
    for (Count one : Count.in(statement)) {
      if (!isOwn(one.of())) {
        return false;
      }
    }
    return FunctionBody.Change.in(statement).map(one -> isOwn(one.to())).orElse(true);
  }

  private boolean isOwn(String changed) {
    Matcher declared = DECLARATION.matcher(changed);
    if (declared.matches()) {
      locals.add(declared.group("name"));
      return true;
    }
    Matcher name = NAME.matcher(changed.strip());
    return name.matches()
        && (locals.contains(name.group("name")) || STATE.matcher(name.group("name")).matches());
  }
}
