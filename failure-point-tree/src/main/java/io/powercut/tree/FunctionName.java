// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import io.powercut.tree.language.DlangCode;
import io.powercut.tree.language.GoCode;
import io.powercut.tree.language.OcamlCode;
import io.powercut.tree.language.PascalCode;
import io.powercut.tree.source.WordsOfDeeds;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a function is called in its source: without what compilers and demanglers add.
 *
 * @param qualified with namespaces and classes, {@code ring::push}
 */
public record FunctionName(String qualified) {
  private static final Pattern COMPILER_SUFFIX =
      Pattern.compile(
          "\\.(constprop|isra|part|cold|lto_priv|llvm)(\\.\\d+)?(?=\\.|$)|\\s*\\[clone [^\\]]*\\]");
  private static final Pattern VERSION = Pattern.compile("@.*");

  /** What follows {@code operator} up to its parameters may contain brackets. */
  private static final Pattern OPERATOR =
      Pattern.compile("operator\\s*(\\(\\)|\\[\\]|<=>|<<=|>>=|<<|>>|<=|>=|->\\*|->|<|>)");

  /**
   * In Rust, the type of a method stands in brackets, mostly with the trait that has the method.
   */
  private static final Pattern RUST_TYPE =
      Pattern.compile(
          "^<&?(?:mut )?([\\w:]+)(?:<.*>)?(?: as .*)?>(?=::)", Pattern.UNICODE_CHARACTER_CLASS);

  /** A procedure of a Fortran module, as GNU Fortran calls it where it is not inlined. */
  private static final Pattern FORTRAN = Pattern.compile("^__(\\w+?)_MOD_(\\w+)$");

  /** What Python calls code that has no name; in angle brackets, as types of templates are. */
  private static final Pattern PYTHON_CODE =
      Pattern.compile("(?<=^|\\.)<(?:module|lambda|listcomp|dictcomp|setcomp|genexpr)>");

  private static final Set<String> TRANSACTIONS = Set.of("tx", "txn", "transaction");
  private static final Set<String> ENDS = Set.of("end", "finish", "close", "drop");

  /** What Python puts between a function and those defined in it. */
  private static final String PYTHON_LOCALS = ".<locals>.";

  /**
   * The name in a symbol or in debug information.
   *
   * @param symbol demangled; the parameters, the types of templates and what is returned are left
   *     off, and so are the suffixes of functions that the compiler cloned
   */
  public static FunctionName of(String symbol) {
    String text = ofModule(symbol(symbol));
    if (PYTHON_CODE.matcher(text).find()) {
      return new FunctionName(text.replace(PYTHON_LOCALS, "."));
    }
    return new FunctionName(
        withoutTypes(
            RUST_TYPE
                .matcher(GoCode.withoutReceiver(text))
                .replaceFirst("$1")
                .replace("(anonymous namespace)", "")
                .replace(PYTHON_LOCALS, ".")));
  }

  /** A demangled symbol without the suffixes of functions that the compiler cloned. */
  public static String symbol(String symbol) {
    return VERSION.matcher(COMPILER_SUFFIX.matcher(symbol).replaceAll("")).replaceAll("");
  }

  /**
   * The name of a procedure of a Fortran module, {@code module::name}, and of a function in OCaml,
   * D or Pascal, {@code Module.name}; others as they are.
   */
  public static String ofModule(String name) {
    String procedure = FORTRAN.matcher(name).replaceFirst("$1::$2");
    return DlangCode.name(PascalCode.name(OcamlCode.name(procedure)));
  }

  private static String withoutTypes(String text) {
    StringBuilder name = new StringBuilder();
    Matcher operator = OPERATOR.matcher(text);
    int nested = 0;
    for (int at = 0; at < text.length(); at++) {
      char here = text.charAt(at);
      if (nested == 0 && operator.region(at, text.length()).lookingAt()) {
        name.append("operator").append(operator.group(1));
        at = operator.end() - 1;
      } else if (nested == 0 && here == '(') {
        break;
      } else if (here == '<') {
        nested++;
      } else if (here == '>') {
        nested--;
      } else if (nested == 0 && here == ' ' && name.indexOf("operator") < 0) {
        name.setLength(0); // It was what a template returns.
      } else if (nested == 0) {
        name.append(here);
      }
    }
    return name.toString().strip();
  }

  /** The last part: {@code push}. */
  public String simple() {
    return qualified.substring(simpleBegin());
  }

  /** The part before the last: {@code ring}; empty if there is none. */
  public String scope() {
    String scopes = qualified.substring(0, Math.max(0, simpleBegin() - 2));
    return scopes.substring(scopes.lastIndexOf(':') + 1);
  }

  private int simpleBegin() {
    int operator = qualified.lastIndexOf("operator");
    int end = operator < 0 ? qualified.length() : operator;
    int colons = qualified.lastIndexOf("::", end);
    return colons < 0 ? 0 : colons + 2;
  }

  /**
   * Whether it speaks of a transaction's end: it commits, it ends what it calls a transaction, or
   * it is the destructor of one, such as that of a guard.
   */
  public boolean endsTransaction() {
    List<String> words = words();
    return words.contains("commit")
        || (!Collections.disjoint(words, TRANSACTIONS)
            && (simple().startsWith("~") || !Collections.disjoint(words, ENDS)));
  }

  /** Its words in lower case: {@code store}, {@code release} of {@code storeRelease}. */
  public List<String> words() {
    return WordsOfDeeds.words(qualified);
  }

  @Override
  public String toString() {
    return qualified;
  }
}
