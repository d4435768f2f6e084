// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a message differs from one image to the next. */
class FailureReasonTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "key 17 is missing                         | key N is missing",
        "keys 1, 2, 3 are missing                  | keys N are missing",
        "at 0x7ffd12: bad magic deadbeef01         | at N: bad magic N",
        "slot 3 holds \"abc\", not 'd e'           | slot N holds Q, not Q",
        "check.c:41: count is -3                   | check.c:N: count is N",
        "/dev/shm/powercut-1/pm/pool: no header    | P: no header",
        "recovery exited with code 1               | recovery exited with code N",
        "the cafe is faded                         | the cafe is faded"
      })
  void numbersQuotesAndPathsShouldNotCount(String message, String normalised) {
    assertThat(FailureReason.normalised(message)).isEqualTo(normalised);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "recovery failed: it exited with code 1, expected exit code 0"
            + "| recovery said no: it exited with code 1, expected is exit code 0",
        "recovery failed: it exited with code 1, expected TERM"
            + "| recovery said no: it exited with code 1, expected is TERM",
        "recovery crashed with SIGSEGV, stack unknown (the stack was not requested)"
            + "| recovery crashed with SIGSEGV, its stack is not known (the stack was not asked for)",
        "recovery crashed with SIGSEGV, stack unknown (the crash did not happen again when its"
            + " stack was captured)"
            + "| recovery crashed with SIGSEGV, its stack is not known (the crash did not happen"
            + " again when its stack was to be taken)",
        "the server was asked to stop, but was still running 10 ms later"
            + "| the server was asked to stop, but still ran 10 ms later",
        "neither those after it acknowledged 3 lines nor those after the operation in progress"
            + "| neither those when it had told 3 lines nor those behind the operation under way",
        "neither those after it acknowledged 3 lines and 1 byte nor those after it acknowledged 5"
            + " bytes"
            + "| neither those when it had told 3 lines nor those when it had told 0 lines",
        "recovery failed: what I expected was missing"
            + "| recovery said no: what I expected was missing",
        "recovery said no: expected is exit code 0 | recovery said no: expected is exit code 0"
      })
  void rewordedMessagesShouldKeepTheirFingerprints(String message, String firstWorded) {
    assertThat(FailureReason.asFirstWorded(message)).isEqualTo(firstWorded);
  }

  private static Judgement crash(StackFrame... recovery) {
    return judgement(
        Verdict.Kind.CRASHED,
        "recovery crashed with SIGABRT in check at ring.c:40",
        "check",
        "",
        List.of(recovery));
  }

  private static Judgement judgement(
      Verdict.Kind kind, String seen, String step, String output, List<StackFrame> recovery) {
    return new Judgement(
        FailurePointId.parse("0000000000000001"),
        1,
        0,
        kind,
        seen,
        step,
        output,
        recovery,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0.5,
        Optional.empty(),
        Optional.empty());
  }

  private static final StackFrame ABORT =
      new StackFrame("__GI_abort", "./stdlib/abort.c", 79, "libc.so.6", "0x26472");
  private static final StackFrame CHECK = new StackFrame("check", "ring.c", 40, "app", "0x11dd");

  @Test
  void abortShouldBeTheUsersFunction() {
    assertThat(FailureReason.of(crash(ABORT, CHECK))).isEqualTo("CRASHED check: in check");
    assertThat(FailureReason.formerlyOf(crash(ABORT, CHECK)))
        .contains("CRASHED check: in __GI_abort");
    assertThat(FailureReason.formerlyOf(crash(CHECK))).isEmpty();
  }

  @Test
  void longListShouldBeOneNumber() {
    String list = IntStream.range(0, 50_000).mapToObj(Integer::toString).collect(joining(", "));
    assertThat(FailureReason.normalised("lost: " + list)).isEqualTo("lost: N");
  }

  private static Judgement contents(String before, String after, String difference) {
    return judgement(
        Verdict.Kind.UNRECOVERABLE,
        Verdict.WrongContents.BEGINNING
            + "%s nor those %s; to the nearer ones, those %s, lines missing: 1, lines too many: 0"
                .formatted(before, after, before),
        "dump",
        difference,
        List.of());
  }

  @Test
  void contentsShouldBeDataAndOneReason() {
    Judgement first = contents("after set-up", "after it acknowledged 1 line", "-bob apple\n");
    Judgement later =
        contents("after it acknowledged 1 line", "after it acknowledged 2 lines", "-ann pear\n");

    assertThat(FailureReason.of(first))
        .isEqualTo("UNRECOVERABLE dump: the contents are wrong")
        .isEqualTo(FailureReason.of(later));
    assertThat(FailureReason.inDetail(first)).isNotEqualTo(FailureReason.inDetail(later));
    assertThat(FailureReason.formerlyOf(first)).contains(FailureReason.inDetail(first));
  }
}
