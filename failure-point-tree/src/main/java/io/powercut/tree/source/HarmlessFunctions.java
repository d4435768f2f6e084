// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Functions of a source file that store nothing, as far as it shows: neither do those of the same
 * file that they call. One that finds a place in a pool is such.
 */
final class HarmlessFunctions {
  private static final Pattern CALL = Pattern.compile("(?<!\\w)(\\w+)\\s*\\(");

  private static final Pattern STATEMENT_END = Pattern.compile("[;{}]");

  private HarmlessFunctions() {}

  /**
   * Whether the file has functions of a name, and they store nothing.
   *
   * @param calls how many of them may call one another
   */
  static boolean are(String file, String name, int calls) {
    List<SourceFunction> there = SourceFunctions.of(file, name);
    return !there.isEmpty() && areHarmless(there, file, calls);
  }

  /**
   * Whether the file has functions of a name that may store.
   *
   * @param calls how many of them may call one another
   */
  static boolean mayStore(String file, String name, int calls) {
    return !areHarmless(SourceFunctions.of(file, name), file, calls);
  }

  /**
   * Whether all functions of the file that a body calls store nothing.
   *
   * @param calls how many of them may call one another
   */
  static boolean areCalled(FunctionBody body, String file, int calls) {
    return CALL.matcher(body.text())
        .results()
        .map(call -> call.group(1))
        .distinct()
        .allMatch(name -> areHarmless(SourceFunctions.of(file, name), file, calls));
  }

  private static boolean areHarmless(List<SourceFunction> functions, String file, int calls) {
    return functions.isEmpty()
        || (calls > 0
            && functions.stream()
                .allMatch(
                    one ->
                        one.body().filter(body -> isHarmless(body, file, calls - 1)).isPresent()));
  }

  private static boolean isHarmless(FunctionBody body, String file, int calls) {
    return !FunctionBody.ASSEMBLY.matcher(body.text()).find()
        && !FunctionBody.mayStoreByCall(body.text())
        && Splitter.on(STATEMENT_END)
            .splitToStream(body.text())
            .noneMatch(FunctionBody::changesMemory)
        && areCalled(body, file, calls);
  }
}
