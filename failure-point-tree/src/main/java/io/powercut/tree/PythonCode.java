// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a Python program is not the user's code. The recorder gives call stacks the frames of
 * Python functions, whose module is their source file, in place of the interpreter's own frames.
 */
public final class PythonCode {
  /** Versions of Python whose frames the recorder can read; see python_frames.c. */
  public static final List<String> KNOWN_VERSIONS = List.of("3.11", "3.12", "3.13");

  private static final Pattern INTERPRETER =
      Pattern.compile("python3[0-9.]*[a-z]*|libpython3[0-9.]*[a-z]*\\.so.*");

  /**
   * Extension modules that come with Python and store, flush or call libraries as they are told.
   */
  private static final Pattern EXTENSION =
      Pattern.compile(
          "(?:array|audioop|binascii|cmath|fcntl|grp|math|mmap|nis|ossaudiodev|pyexpat|readline"
              + "|resource|select|spwd|syslog|termios|unicodedata|zlib"
              + "|_(?:asyncio|bisect|blake2|bz2|codecs_[a-z0-9]+|contextvars|crypt|csv|ctypes"
              + "|curses|curses_panel|datetime|dbm|decimal|elementtree|gdbm|hashlib|heapq|hmac"
              + "|interp[a-z]+|io|json|lsprof|lzma|md5|multiarray_umath|multibytecodec"
              + "|multiprocessing|opcode|pickle|posixshmem|posixsubprocess|queue|random"
              + "|sha[0-9]+|socket|sqlite3|ssl|statistics|struct|tkinter|typing|uuid|zoneinfo))"
              + "\\.(?:cpython-.*|abi3)\\.so|libffi\\.so.*");

  /** Sources that come with Python, or were installed as packages. */
  private static final Pattern LIBRARY =
      Pattern.compile("(?:.*/)?lib(?:64)?/python3(?:\\.[0-9]+)?/.*|<frozen .*>");

  /** A package that was installed, or a module by itself: where it was, and its file or folder. */
  private static final Pattern PACKAGE =
      Pattern.compile(
          "(?<package>(?<prefix>.*)/lib(?:64)?/python3[^/]*/(?:dist|site)-packages/[^/]+)(?:/.*)?");

  private static final Pattern INSTALLED_SCRIPT =
      Pattern.compile("(?<prefix>.*)/(?:s?bin|games)/[^/]+");

  private PythonCode() {}

  /** Whether a module is an interpreter: its program, or its library. */
  public static boolean isInterpreter(String module) {
    return INTERPRETER.matcher(module).matches();
  }

  /** Whether a module is an interpreter, or what comes with it and does as it is told. */
  public static boolean isModule(String module) {
    return isInterpreter(module) || EXTENSION.matcher(module).matches();
  }

  /** Whether a source file is not the user's. */
  static boolean isLibrary(String file) {
    return LIBRARY.matcher(file).matches();
  }

  /**
   * The package that is the program itself, although it was installed: a script that was installed
   * with it, such as {@code /usr/bin/hg}, only calls it. So does {@code python3 -m}.
   *
   * @param stack innermost first
   * @param user what else would be the user's code
   * @return its file or folder
   */
  static Optional<String> programIn(
      List<? extends UserCode.Function> stack, UserCode.Function user) {
    boolean isModule = user.function().equals("<module>");
    Matcher script = INSTALLED_SCRIPT.matcher(user.file());
    if (!isLibrary(user.file()) && !(isModule && script.matches())) {
      return Optional.empty();
    }
    for (int index = stack.size() - 1; index >= 0; index--) {
      Matcher called = PACKAGE.matcher(stack.get(index).file());
      if (called.matches()) {
        return Optional.of(called.group("package"))
            .filter(
                found ->
                    isLibrary(user.file())
                        || called.group("prefix").equals(script.group("prefix")));
      }
    }
    return Optional.empty();
  }

  /** Whether a source file is that file, or in that folder. */
  static boolean isIn(String program, String file) {
    return file.startsWith(program)
        && (file.length() == program.length() || file.charAt(program.length()) == '/');
  }

  /** Whether a source file was installed as a package, and does not come with Python. */
  public static boolean isPackage(String file) {
    return PACKAGE.matcher(file).matches();
  }

  /**
   * Whether the stack has frames of an interpreter where those of Python functions should be: the
   * recorder cannot read its version. The instruction itself may always be the interpreter's.
   */
  public static boolean isUnread(CallStack stack) {
    return stack.frames().stream().skip(1).anyMatch(frame -> isInterpreter(frame.module()));
  }
}
