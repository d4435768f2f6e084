// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.powercut.campaign.loading.CampaignLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each file under mistakes/ beside the exact messages that it gets. {@code mvn test
 * -Dpowercut.regenerate=true} writes the messages anew.
 */
class CampaignMistakesTest {
  private static final Path MISTAKES = CampaignFixtures.resources().resolve("mistakes");

  @TempDir Path directory;

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(MISTAKES)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .map(Path::getFileName)
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void shouldTellEveryMistakeWithItsPlaceAndRemedy(Path name) throws IOException {
    CampaignException failure = failureOf(MISTAKES.resolve(name));
    String messages = failure.getMessage().replace(MISTAKES + "/", "") + "\n";

    Path expected = MISTAKES.resolve(name.toString().replace(".yaml", ".expected"));
    if (Boolean.getBoolean("powercut.regenerate")) {
      Files.writeString(expected, messages);
    }
    assertThat(messages).isEqualTo(Files.readString(expected));
  }

  @Test
  void shouldNameTheFileAsTheUserDid() throws IOException {
    Path file = Path.of("").toAbsolutePath().relativize(MISTAKES.resolve("unknown-keys.yaml"));

    assertThat(failureOf(file).problems().get(0))
        .isEqualTo(
            new CampaignProblem(
                file.toString(), 2, 1, "tagret", "is not a key; did you mean 'target'?"));
  }

  @Test
  void shouldSayThatAFileIsNotThere() {
    Path file = directory.resolve("none.yaml");

    assertThat(failureOf(file)).hasMessage(file + ": does not exist");
  }

  @Test
  void shouldSayThatAFileIsADirectory() {
    assertThat(failureOf(directory))
        .hasMessage(directory + ": is a directory; a campaign must be a text file of at most 1MiB");
  }

  @Test
  void shouldSayThatAFileIsNotText() throws IOException {
    Path file = directory.resolve("binary.yaml");
    Files.write(file, new byte[] {'a', ':', ' ', (byte) 0xff});

    assertThat(failureOf(file))
        .hasMessage(
            file + ":1:1: is not text in UTF-8; a campaign must be a text file of at most 1MiB");
  }

  @Test
  void shouldNotReadWithoutEnd() {
    assertThat(failureOf(Path.of("/dev/zero")))
        .hasMessage(
            "/dev/zero: is a FIFO, a socket or a device; a campaign must be a text file of at most 1MiB");
  }

  @Test
  void shouldTellAMistakeBehindAnAliasForEveryKey() {
    assertThat(
            catchThrowableOfType(
                    CampaignException.class,
                    () ->
                        CampaignFixtures.load(
                            directory,
                            """
                            target: {command: [app], success: &end {exit: [256]}}
                            recovery: {command: [check], consistent: *end}
                            """))
                .problems())
        .extracting(CampaignProblem::key)
        .containsExactly("recovery.consistent.exit.0", "target.success.exit.0");
  }

  private static CampaignException failureOf(Path file) {
    return catchThrowableOfType(CampaignException.class, () -> CampaignLoader.load(file));
  }
}
