// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that Free Pascal gives to functions, {@code P$STORE_$$_ADDENTRY$QWORD}, and which functions
 * are of its own units.
 */
public final class PascalCode {
  /**
   * The program or unit, what the function is in, its name, and the types of parameters and result.
   */
  private static final Pattern SYMBOL =
      Pattern.compile(
          "^(?:P\\$)?(?<unit>\\w+)(?:\\$_\\$(?<in>[\\w$]*?))?_\\$\\$_(?<name>\\w+)(?:\\$.*)?$");

  /** Between the classes and the functions that a function is in. */
  private static final Pattern INNER = Pattern.compile("_\\$_+");

  private static final Pattern TYPES = Pattern.compile("\\$.*");

  /**
   * Units that come with the compiler, which mostly have no debug information, and their
   * interfaces.
   */
  private static final Pattern LIBRARY =
      Pattern.compile(
          "(?:WRPR_\\$)?(?:SYSTEM|SYSINIT|SI_\\w+|OBJPAS|MACPAS|ISO7185|FPINTRES|CTYPES|SYSUTILS|SYSCONST"
              + "|BASEUNIX|UNIX|UNIXTYPE|UNIXUTIL|UNIXCP|OLDLINUX|LINUX|SYSCALL|INITC|DL|DYNLIBS"
              + "|CTHREADS|PTHREADS|CMEM|CWSTRING|CHARSET|CRT|DOS|ERRORS|EXEINFO|LINEINFO|LNFODWRF"
              + "|STRINGS|STRUTILS|CLASSES|RTLCONSTS|TYPINFO|TYPES|VARIANTS|VARUTILS|MATH|DATEUTILS"
              + "|CONTNRS|FGL|SYNCOBJS|IPC|SOCKETS|KEYBOARD|MOUSE|VIDEO|PRINTER|HEAPTRC|GETOPTS)"
              + "\\$?_\\$.*|(?:fpc|FPC)_\\w+");

  private PascalCode() {}

  /**
   * A function with its program or unit as in the source, but in capital letters as Pascal does not
   * tell them apart: {@code STORE.ADDENTRY}. Other names stay as they are.
   */
  public static String name(String symbol) {
    Matcher function = SYMBOL.matcher(symbol);
    if (!function.matches()) {
      return symbol;
    }
    StringBuilder name = new StringBuilder(function.group("unit"));
    if (function.group("in") != null) {
      for (String around : INNER.split(function.group("in"))) {
        name.append('.').append(TYPES.matcher(around).replaceAll(""));
      }
    }
    return name.append('.').append(function.group("name")).toString();
  }

  /** Whether a function is of a unit that comes with the compiler. */
  public static boolean isLibrary(String symbol, String file) {
    return file.isEmpty() && LIBRARY.matcher(symbol).matches();
  }
}
