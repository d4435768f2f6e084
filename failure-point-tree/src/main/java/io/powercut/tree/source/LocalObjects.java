// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Methods that only change their object, called for a local variable: what they compute is stored
 * by the caller. A compiler that inlines them may make both one store, and give it the method's
 * line. Safe for use by several threads.
 */
public final class LocalObjects {
  private static final Pattern OWN = Pattern.compile("(?<!\\w)this\\s*->\\s*");

  private static final Pattern STATEMENT_END = Pattern.compile("[;{}]");

  private static final int MOST_CALLS = 3;

  private static final Pattern COUNTED =
      Pattern.compile("(?:\\+\\+|--)\\s*(\\w+)|(\\w+)\\s*(?:\\+\\+|--)");

  private static final LoadingCache<Call, Boolean> CALLS =
      CacheBuilder.newBuilder()
          .maximumSize(10_000)
          .build(CacheLoader.from(LocalObjects::isOnLocal));

  private LocalObjects() {}

  /**
   * A line of a function.
   *
   * @param file where it is; nothing is known of one that is not there
   * @param function its simple name
   * @param line from 1
   */
  public record Place(String file, String function, int line) {}

  private record Call(Place method, Place caller) {}

  /**
   * Whether a method that changes nothing but its object was called for a local variable.
   *
   * @param method one of its lines
   * @param caller where it was called
   */
  public static boolean change(Place method, Place caller) {
    return CALLS.getUnchecked(new Call(method, caller));
  }

  private static boolean isOnLocal(Call call) {
    Place caller = call.caller();
    return variable(call)
        .filter(
            name ->
                isLocal(
                    name, SourceFunctions.before(caller.file(), caller.function(), caller.line())))
        .filter(name -> changesOnlyItsObject(call.method()))
        .isPresent();
  }

  /** The variable for which it was called. */
  private static Optional<String> variable(Call call) {
    Matcher called =
        Pattern.compile(
                "(?<![\\w.>:])(\\w+)\\s*\\.\\s*"
                    + Pattern.quote(call.method().function())
                    + "\\s*\\(")
            .matcher(SourceFunctions.line(call.caller().file(), call.caller().line()));
    return called.find() ? Optional.of(called.group(1)) : Optional.empty();
  }

  /** Whether a variable is declared there, and neither a pointer nor a reference. */
  private static boolean isLocal(String name, String code) {
    String type = "[A-Za-z_][\\w:]*(?:<[\\w:, *&]*>)?";
    return Pattern.compile(
                "[;{}]\\s*(?:const\\s+|struct\\s+)?(?!return\\b|delete\\b|throw\\b|goto\\b|else\\b|new\\b)"
                    + "%s\\s+%s\\s*[=;({]".formatted(type, name))
            .matcher(code)
            .find()
        && !Pattern.compile("\\w\\s*[*&]+\\s*%s\\s*[=;(){,]".formatted(name)).matcher(code).find();
  }

  /** The object may lead to persistent memory, as one does that holds where a pool is mapped. */
  private static boolean changesOnlyItsObject(Place method) {
    List<SourceFunction> there =
        SourceFunctions.of(method.file(), method.function()).stream()
            .filter(one -> one.has(method.line()))
            .toList();
    return !there.isEmpty()
        && there.stream()
            .allMatch(
                one ->
                    one.body()
                        .filter(body -> isOwnOnly(body, method.file()))
                        .filter(
                            body -> HarmlessFunctions.areCalled(body, method.file(), MOST_CALLS))
                        .isPresent());
  }

  private static boolean isOwnOnly(FunctionBody body, String file) {
    String text = OWN.matcher(body.text()).replaceAll("");
    if (FunctionBody.ASSEMBLY.matcher(text).find() || FunctionBody.mayStoreByCall(text)) {
      return false;
    }
    boolean changes = false;
    for (String statement : Splitter.on(STATEMENT_END).split(text)) {
      Optional<String> changed = changed(statement.strip());
      if (FunctionBody.changesMemory(statement)
          || changed.filter(name -> !isMember(name, body, file)).isPresent()) {
        return false;
      }
      changes |= changed.isPresent();
    }
    return changes;
  }

  /** What a statement changes: a variable, perhaps with its type before it. */
  private static Optional<String> changed(String statement) {
    Matcher counted = COUNTED.matcher(statement);
    if (counted.find()) {
      return Optional.of(counted.group(1) == null ? counted.group(2) : counted.group(1));
    }
    return FunctionBody.Change.in(statement).map(change -> change.to().strip());
  }

  /** Whether it is no parameter, which may be a reference, and no member that is one. */
  private static boolean isMember(String changed, FunctionBody body, String file) {
    String name = changed.substring(changed.lastIndexOf(' ') + 1);
    return name.matches("\\w+")
        && !body.parameters().contains(name)
        && !SourceFunctions.contain(file, Pattern.compile("&\\s*" + name + "\\s*[;{=]"));
  }
}
