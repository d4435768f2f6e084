// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import io.powercut.tree.language.OcamlFunctions;
import io.powercut.tree.language.PythonFunctions;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Functions that do one thing for their callers: their source has a single statement beside those
 * that do nothing, which assigns what they are given or is assembly; or it stores that, or a
 * constant, where they are told, and counts; or it copies it in a loop; or it writes it to a file,
 * checks that, and repeats it until all is written; or it only persists what they say; or it begins
 * or ends their transactions; or it only calls such a function; or it only computes what they
 * store. In Python and OCaml, only writes count. Safe for use by several threads.
 */
public final class Setters {
  /** Of such functions by one another. */
  private static final int MOST_CALLS = 3;

  private static final Pattern WORD = Pattern.compile("\\w+");

  private Setters() {}

  /**
   * Whether a function in a source file is such.
   *
   * @param file where it is; nothing is one in a file that is not there
   * @param name its simple name
   * @param line one of its lines, from 1; if it is not known which function of this name is there,
   *     all of them have to be such
   */
  public static boolean contain(String file, String name, int line) {
    return contain(file, name, line, MOST_CALLS);
  }

  private static boolean contain(String file, String name, int line, int calls) {
    if (PythonFunctions.areIn(file)) {
      return writeInPython(file, name, line, calls, false);
    }
    if (OcamlFunctions.areIn(file)) {
      return writeInOcaml(file, name, line, calls);
    }
    return are(
        file,
        name,
        line,
        body ->
            storesForOthers(body)
                || storesForOthers(body.withoutSnapshots(snapshots(file, calls)))
                || storesForOthers(withoutVariables(body, file, calls))
                || withoutVariables(body, file, calls)
                    .isStoreAndFlush(other -> onlyFlush(file, other, calls))
                || body.isInitialisation()
                || body.isArithmetic()
                || body.isCheckedWrite()
                || new WritingBody(body, new OthersOfFile(file, calls, false)).isWriteOfGiven()
                || body.onlyPersists(other -> onlyPersist(file, other, 0, calls))
                || body.isTransaction(transactions(file, calls - 1))
                || (calls > 0
                    && onlyCall(body, file)
                        .filter(other -> contain(file, other, 0, calls - 1))
                        .isPresent()));
  }

  private static FunctionBody withoutVariables(FunctionBody body, String file, int calls) {
    return LocalVariables.removedFrom(
        body,
        other -> HarmlessFunctions.are(file, other, calls),
        other -> HarmlessFunctions.mayStore(file, other, calls));
  }

  /** Whether it does not wait until that is persistent, either. */
  private static boolean onlyFlush(String file, String name, int calls) {
    return WordsOfDeeds.onlyFlush(name)
        || (onlyPersist(file, name, 0, calls)
            && are(file, name, 0, body -> WordsOfDeeds.waitNowhere(body.text())));
  }

  /** What it does nothing but call, and then pass on how that went. */
  private static Optional<String> onlyCall(FunctionBody body, String file) {
    return body.onlyCalls()
        .or(
            () ->
                LocalVariables.withoutResult(withoutVariables(body, file, MOST_CALLS)).onlyCalls());
  }

  /**
   * Whether an operator that assigns does more than to store for its callers: it makes several
   * stores, for example.
   *
   * @param file where it is; nothing is known of one in a file that is not there
   * @param name its simple name, {@code operator+=}
   * @param line one of its lines, from 1
   */
  public static boolean isOperatorOfItsOwn(String file, String name, int line) {
    List<SourceFunction> there =
        SourceFunctions.of(file, name).stream().filter(one -> one.has(line)).toList();
    return !there.isEmpty()
        && there.stream()
            .noneMatch(
                one ->
                    one.body()
                        .map(body -> new OperatorBody(body, other -> onlyStores(file, other)))
                        .filter(OperatorBody::isItsCallers)
                        .isPresent());
  }

  private static boolean onlyStores(String file, String name) {
    return are(
        file,
        name,
        0,
        body ->
            storesForOthers(body)
                && !body.onlyPersists(other -> onlyPersist(file, other, 0, MOST_CALLS)));
  }

  private static boolean storesForOthers(FunctionBody body) {
    return body.isOneAssignment()
        || body.isStoreAndBookkeeping()
        || body.isConstantStore()
        || body.isLoopThatCopies();
  }

  private static boolean writeInPython(
      String file, String name, int line, int calls, boolean maySync) {
    List<PythonFunctions.Function> all = PythonFunctions.of(file, name);
    List<PythonFunctions.Function> there = all.stream().filter(one -> one.has(line)).toList();
    List<PythonFunctions.Function> asked = there.isEmpty() ? all : there;
    return calls >= 0
        && !asked.isEmpty()
        && asked.stream()
            .allMatch(
                one ->
                    one.isWriteOfGiven(
                        other -> writeInPython(file, other, 0, calls - 1, maySync), maySync));
  }

  private static boolean writeInOcaml(String file, String name, int line, int calls) {
    List<OcamlFunctions.Function> asked = OcamlFunctions.of(file, name, line);
    return calls >= 0
        && !asked.isEmpty()
        && asked.stream()
            .allMatch(
                one ->
                    one.isWriteOfGiven(
                        other ->
                            !other.equals(one.name()) && writeInOcaml(file, other, 0, calls - 1)));
  }

  /**
   * Whether a function persists what its callers say, and nothing else. It may run what they give
   * it before.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean onlyPersist(String file, String name, int line) {
    return onlyPersist(file, name, line, MOST_CALLS);
  }

  private static boolean onlyPersist(String file, String name, int line, int calls) {
    return calls > 0
        && are(
            file,
            name,
            line,
            body -> body.onlyPersists(other -> onlyPersist(file, other, 0, calls - 1)));
  }

  /**
   * Whether a function begins or ends transactions for its callers, or runs in one what they give
   * it, and nothing else: what belongs into one transaction is said by its callers.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean areTransactions(String file, String name, int line) {
    return areTransactions(file, name, line, MOST_CALLS);
  }

  private static boolean areTransactions(String file, String name, int line, int calls) {
    return calls >= 0
        && are(file, name, line, body -> body.isTransaction(transactions(file, calls - 1)));
  }

  private static boolean areSnapshots(String file, String name, int calls) {
    return calls > 0 && are(file, name, 0, body -> body.isSnapshot(snapshots(file, calls - 1)));
  }

  /**
   * Whether a function stores what it is given where it is told, once, and may persist it: the
   * order of such stores is that of the calls.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean mayPersist(String file, String name, int line) {
    return are(file, name, line, body -> storeOrCopyOnce(body, file))
        || writeAndSync(file, name, line);
  }

  private static boolean storeOrCopyOnce(FunctionBody body, String file) {
    FunctionBody simple = withoutVariables(body, file, MOST_CALLS);
    return body.isStoreAndPersist() || simple.isStoreAndPersist() || simple.isSingleCopyOfGiven();
  }

  /** Whether it writes what it is given to a file, and waits until that is persistent. */
  private static boolean writeAndSync(String file, String name, int line) {
    return PythonFunctions.areIn(file)
        ? writeInPython(file, name, line, MOST_CALLS, true)
        : are(
            file,
            name,
            line,
            body ->
                new WritingBody(body, new OthersOfFile(file, MOST_CALLS, true)).isWriteOfGiven());
  }

  /**
   * Whether a function does nothing but call another one that stores once what it is given, and may
   * persist it.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean passOn(String file, String name, int line) {
    return passOn(file, name, line, MOST_CALLS);
  }

  private static boolean passOn(String file, String name, int line, int calls) {
    return writeAndSync(file, name, line)
        || are(
            file,
            name,
            line,
            body ->
                onlyCall(body, file)
                    .filter(
                        other ->
                            !other.equals(name)
                                && (contain(file, other, 0)
                                    || mayPersist(file, other, 0)
                                    || (calls > 0 && passOn(file, other, 0, calls - 1))))
                    .isPresent());
  }

  /**
   * Whether a function only passes on what it is given to one of another file, which stores or
   * writes that for others.
   *
   * @param caller the function
   * @param called the one that it calls there
   */
  public static boolean passOnTo(LocalObjects.Place caller, LocalObjects.Place called) {
    String name = called.function();
    return SourceFunctions.of(caller.file(), name).isEmpty()
        && contain(called.file(), name, called.line())
        && !onlyPersist(called.file(), name, called.line())
        && are(
            caller.file(),
            caller.function(),
            caller.line(),
            body -> onlyCall(body, caller.file()).filter(name::equals).isPresent());
  }

  /**
   * Whether a function stores once what it is given, where it is told or to a member there, and may
   * persist it: who calls it says more than what it does.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean storeOnce(String file, String name, int line) {
    return are(file, name, line, body -> body.isOneStore() || storeOrCopyOnce(body, file))
        || writeAndSync(file, name, line);
  }

  /**
   * Whether a function makes one store, as far as its own statements show: it cannot make two in
   * the wrong order.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean makeOneStore(String file, String name, int line) {
    return are(file, name, line, FunctionBody::isSingleStore) || writeAndSync(file, name, line);
  }

  /**
   * Whether a function stores something of its own, such as a member or what it counts: then it is
   * no helper, whatever it is called. Where the file has none of its name, a macro may have named
   * the one with the line.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean storeTheirOwn(String file, String name, int line) {
    return SourceFunctions.of(file, name).isEmpty()
        ? SourceFunctions.around(file, line)
            .flatMap(SourceFunction::body)
            .filter(FunctionBody::storesItsOwn)
            .isPresent()
        : are(file, name, line, FunctionBody::storesItsOwn);
  }

  /**
   * Whether the line matters for which function in a source file has a name: there are several, of
   * different types for example, or a macro gives it that name.
   */
  public static boolean isAmbiguous(String file, String name) {
    if (OcamlFunctions.areIn(file)) {
      return OcamlFunctions.of(file, name, 0).size() != 1;
    }
    return PythonFunctions.areIn(file)
        ? PythonFunctions.of(file, name).size() > 1
        : !file.isEmpty() && (SourceFunctions.of(file, name).size() != 1 || !isUnique(name));
  }

  /** Operators may be those of any type. */
  private static boolean isUnique(String name) {
    return !name.startsWith("operator") || WORD.matcher(name).matches();
  }

  /**
   * Other functions of a file.
   *
   * @param calls how many of them may call one another
   * @param maySync whether functions that write may persist that
   */
  private record OthersOfFile(String file, int calls, boolean maySync)
      implements WritingBody.Others {
    @Override
    public boolean areHere(String function) {
      return !SourceFunctions.of(file, function).isEmpty();
    }

    @Override
    public boolean write(String function) {
      return calls > 0
          && are(
              file,
              function,
              0,
              body ->
                  body.isCheckedWrite()
                      || new WritingBody(body, new OthersOfFile(file, calls - 1, maySync))
                          .isWriteOfGiven());
    }

    @Override
    public boolean wait(String function) {
      return are(file, function, 0, body -> new WritingBody(body, this).isWait());
    }

    @Override
    public boolean sync(String function) {
      return maySync && are(file, function, 0, body -> new WritingBody(body, this).isSync());
    }
  }

  /**
   * Other functions of a file.
   *
   * @param such those that do nothing else
   */
  private record Others(String file, Predicate<String> such) implements TransactionBody.Others {
    @Override
    public boolean areHere(String function) {
      return !SourceFunctions.of(file, function).isEmpty();
    }

    @Override
    public boolean areSuch(String function) {
      return such.test(function);
    }
  }

  private static Others transactions(String file, int calls) {
    return new Others(file, other -> areTransactions(file, other, 0, calls));
  }

  private static Others snapshots(String file, int calls) {
    return new Others(file, other -> areSnapshots(file, other, calls));
  }

  private static boolean are(String file, String name, int line, Predicate<FunctionBody> what) {
    List<SourceFunction> all = SourceFunctions.of(file, name);
    List<SourceFunction> there = all.stream().filter(one -> one.has(line)).toList();
    // Operators have one name, whatever they are for.
    List<SourceFunction> asked = there.isEmpty() && isUnique(name) ? all : there;
    return !asked.isEmpty() && asked.stream().allMatch(one -> one.body().filter(what).isPresent());
  }
}
