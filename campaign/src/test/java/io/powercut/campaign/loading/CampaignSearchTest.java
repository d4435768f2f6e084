// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignSearchTest {
  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.resolve("..").normalize());
    return Files.writeString(file, text);
  }

  @Test
  void filesWithATargetOfTheirOwnOrInheritedShouldBeCampaignsAndTheOthersBeTold()
      throws IOException {
    Path base = write("base.yaml", "target: {command: [app]}\n");
    Path heir = write("heir.yaml", "extends: base.yaml\n");
    Path without = write("limits.yaml", "limits: {parallel: 2}\n");
    Path taken = write("taken-back.yml", "extends: base.yaml\ntarget: null\n");
    Path list = write("powercut-baseline.yaml", "- {fingerprint: 0}\n");
    Path empty = write("empty.yaml", "# nothing\n");
    write("bases/deep.yaml", "target: {command: [app]}\n");
    write("notes.txt", "target: {command: [app]}\n");
    write(".hidden.yaml", "target: {command: [app]}\n");

    CampaignSearch found = CampaignSearch.in(directory);

    assertThat(found.campaigns()).containsExactly(base, heir);
    assertThat(found.others()).containsExactly(empty, without, list, taken);
  }

  @Test
  void filesWithMistakesShouldBeCampaignsSoThatTheMistakesAreTold() throws IOException {
    Path syntax = write("syntax.yaml", "target: {command: [app\n");
    Path orphan = write("orphan.yaml", "extends: missing.yaml\n");

    assertThat(CampaignSearch.in(directory).campaigns()).containsExactly(orphan, syntax);
  }
}
