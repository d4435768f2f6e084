package io.powercut.report.identity;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

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

  @Test
  void longListShouldBeOneNumber() {
    String list = IntStream.range(0, 50_000).mapToObj(Integer::toString).collect(joining(", "));
    assertThat(FailureReason.normalised("lost: " + list)).isEqualTo("lost: N");
  }
}
