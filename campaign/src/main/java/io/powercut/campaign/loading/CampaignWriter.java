// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.binding.SectionWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a campaign back as one file that extends nothing and leaves nothing to defaults. */
public final class CampaignWriter {
  private static final YAMLMapper MAPPER =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private CampaignWriter() {}

  /** The campaign as a tree, for a report. */
  public static ObjectNode toTree(Campaign campaign) {
    return SectionWriter.write(campaign);
  }

  /** The campaign as YAML; loading it gives an equal campaign, wherever the file is. */
  public static String toYaml(Campaign campaign) {
    try {
      return MAPPER.writeValueAsString(toTree(campaign));
    } catch (JsonProcessingException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /**
   * Writes the campaign into a file, replacing it. A file that is there stays as it is until all of
   * the new one is written, so that a full disk leaves no half of a campaign.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(Campaign campaign, Path file) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.writeString(fresh, toYaml(campaign));
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
