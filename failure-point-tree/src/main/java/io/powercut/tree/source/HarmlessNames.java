// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import java.util.regex.Pattern;

/**
 * Names of functions that store nothing and write to no file of the program's: what they are called
 * for is something else.
 */
final class HarmlessNames {
  /** What ends the program or complains, in C, C++, Go and Rust. */
  private static final String COMPLAINTS =
      "_*exit|abort|die\\w*|\\w*errx?|\\w*warnx?|perror|strerror\\w*|\\w*fatal\\w*|panic\\w*|fail\\w*"
          + "|\\w*(?:error|Error|warning|Exception)|error\\w*|assert|v?[fd]?printf|f?puts|throw\\w*"
          + "|errors\\.New|Errorf|Fatal(?:f|ln)?|Wrapf?|[Pp]rint(?:f|ln)?|e?print(?:ln)?"
          + "|Ok|OK|Err|Some|unwrap\\w*|expect|map_err|into|(?:with_)?context|format"
          + "|(?:system|generic)_category|P?LOG|CHECK\\w*|BUG\\w*|clearerr|feof|ferror|fileno|(?:get_?)?[fF]d|native_handle";

  /**
   * What tells of it in a log of messages, and what complains unless a condition holds, if the
   * names are not those of other functions there.
   */
  private static final Pattern MESSAGE =
      Pattern.compile(
          "(?:log|LOG|pr|wal|db|zlog)_?(?:trace|debug|dbg|info|notice|warn|warning|error|err|msg|verbose)f?"
              + "|(?:LOG|PR)_(?:TRACE|DEBUG|DBG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|MSG|VERBOSE)"
              + "|(?:trace|TRACE)_?\\w*|debug\\w*|DEBUG\\w*|DPRINTF|V?LOG|info|warn|v?syslog"
              + "|(?:Debug|Info|Warn|Trace)(?:f|ln|w)?|va_(?:start|end)|getenv"
              + "|must|check|require|ensure|verify|enforce|(?:die|fail|abort|exit|panic)_?(?:if|unless)");

  /** What waits until a descriptor takes more. */
  private static final String WAITS =
      "p?poll|p?select|FD_(?:SET|ZERO|CLR|ISSET)|u?sleep|\\w*nanosleep|sched_yield|pthread_yield|sleep_for"
          + "|yield|(?:milli|micro|nano)?seconds";

  /** What computes something of lengths, and asks strings for theirs. */
  private static final String COMPUTATIONS =
      "AddU?[iI]nt(?:32|64)|fetch_add|Start|End|Current|u?int\\d+|min|max|MIN|MAX|strlen|size|length"
          + "|len|data|c_str|begin|size_bytes|likely|unlikely|__builtin_expect"
          + "|empty|subspan|substr|remove_prefix|to_[lbn]e_bytes|as_(?:bytes|slice|str|ref)"
          + "|TEMP_FAILURE_RETRY|s?size_t|off(?:64)?_t|u?int(?:\\d+_t)?|unsigned|long|bool"
          + "|string|to_string";

  /** What a stream passes on what was written to it. */
  private static final String PASSES_ON = "fflush|\\.flush|->flush";

  private static final String LOCKS =
      "R?(?:Lock|Unlock)|pthread_(?:mutex|rwlock)_\\w*lock|(?:un)?lock|flockfile|funlockfile";

  private static final Pattern HARMLESS =
      Pattern.compile(
          COMPLAINTS + "|" + WAITS + "|" + COMPUTATIONS + "|" + PASSES_ON + "|" + LOCKS);

  private HarmlessNames() {}

  /** Whether a call has such a name; that of a method may begin with the point before it. */
  static boolean are(String call) {
    return HARMLESS.matcher(call).matches();
  }

  /** Whether it may be one that tells of something in a log of messages. */
  static boolean areOfMessages(String call) {
    return MESSAGE.matcher(call).matches();
  }
}
