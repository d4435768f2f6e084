// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.powercut.campaign.loading.CampaignLoader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged files, always the same ones: whatever they hold, the user gets messages and no stack
 * trace.
 */
class CampaignMutationTest {
  private static final int ROUNDS = 1000;
  private static final String[] FRAGMENTS = {
    "{",
    "}",
    "[",
    "]",
    ":",
    ": ",
    ",",
    "-",
    "\n",
    "\n  ",
    "\t",
    "#",
    "'",
    "\"",
    "&a ",
    "*a",
    "!x ",
    "%",
    "|\n",
    ">",
    "null",
    "~",
    "{{",
    "{pm}",
    "{x}",
    "99999999999",
    "-1",
    "1e9",
    "true",
    "\\",
    "\0",
    "\u0085",
    "é",
    "\uFEFF",
    "? ",
    "---\n",
    "<<: *a",
    "extends: ",
    "..",
    "1s",
    "auto",
    "[[[[[[",
    "((((",
    "${x}"
  };

  @TempDir Path directory;

  @Test
  void shouldAnswerDamagedFilesWithMessagesAlone() throws IOException {
    byte[] original = Files.readAllBytes(CampaignFixtures.everyKey());
    int loaded = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      byte[] damaged = original;
      for (int count = random.nextInt(3); count >= 0; count--) {
        damaged = damage(damaged, random);
      }
      loaded += answer(damaged, round).isPresent() ? 1 : 0;
    }
    assertThat(loaded).isBetween(ROUNDS / 50, ROUNDS * 49 / 50);
  }

  @Test
  void shouldAnswerDamagedOverridesWithMessagesAlone() {
    String[] keys = {
      "target.timeout", "recovery.0", "recovery", "parameters.map", "limits", "a.b.c", ""
    };
    for (int round = 0; round < ROUNDS / 4; round++) {
      Random random = new Random(round);
      String override =
          keys[random.nextInt(keys.length)] + "=" + fragment(random) + fragment(random);
      try {
        CampaignFixtures.load(directory, CampaignFixtures.LEAST, override);
      } catch (CampaignException failure) {
        assertThat(failure.problems()).isNotEmpty();
      } catch (RuntimeException failure) {
        fail("--set " + override, failure);
      }
    }
  }

  private Optional<Campaign> answer(byte[] content, int round) throws IOException {
    Path file = directory.resolve("damaged.yaml");
    Files.write(file, content);
    try {
      return Optional.of(CampaignLoader.load(file));
    } catch (CampaignException failure) {
      assertThat(failure.problems())
          .isNotEmpty()
          .allMatch(problem -> !problem.message().isBlank() && !problem.message().contains("\n"));
      return Optional.empty();
    } catch (RuntimeException | StackOverflowError failure) {
      return fail("round " + round + ": " + new String(content, StandardCharsets.UTF_8), failure);
    }
  }

  private static byte[] damage(byte[] content, Random random) {
    int from = random.nextInt(content.length + 1);
    int to = Math.min(content.length, from + random.nextInt(12));
    byte[] end = Arrays.copyOfRange(content, to, content.length);
    byte[] begin = Arrays.copyOf(content, from);
    return switch (random.nextInt(4)) {
      case 0 -> join(begin, end);
      case 1 -> join(begin, fragment(random).getBytes(StandardCharsets.UTF_8), end);
      case 2 ->
          join(
              begin,
              Arrays.copyOfRange(content, from, to),
              Arrays.copyOfRange(content, from, content.length));
      default -> join(begin, new byte[] {(byte) random.nextInt(256)}, end);
    };
  }

  private static String fragment(Random random) {
    return FRAGMENTS[random.nextInt(FRAGMENTS.length)];
  }

  private static byte[] join(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] joined = new byte[length];
    int position = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, joined, position, part.length);
      position += part.length;
    }
    return joined;
  }
}
