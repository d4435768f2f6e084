// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import com.fasterxml.jackson.databind.node.TextNode;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignException;
import io.powercut.campaign.Problems;
import io.powercut.campaign.binding.Descriptions;
import io.powercut.campaign.binding.KeyDescription;
import io.powercut.campaign.template.CommandTemplate;
import io.powercut.campaign.template.TextTemplate;
import io.powercut.campaign.yaml.Origin;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The commented campaign file that {@code powercut init --all-keys} writes. Every key is there;
 * those that need not be said are commented out, with their default or an example.
 */
public final class CampaignTemplate {
  private static final int WIDTH = 100;
  private static final String EXAMPLE_PROGRAM = "./app";
  private static final String HEADER =
      """
      # A powercut campaign: what is run, where its power is cut, and what judges the rest.
      # Lines like these explain. A key behind a # without a blank is a default or an example: remove the # to
      # say it yourself. `powercut schema` prints the schema with which an editor completes and checks all this.
      """;

  private final Optional<String> program;
  private final StringBuilder text = new StringBuilder(HEADER);

  private CampaignTemplate(Optional<String> program) {
    this.program = program;
  }

  /**
   * Writes a new campaign file.
   *
   * @param name the campaign's name; if there is none, one is made from the file's
   * @param program the program to test; if there is none, its commands are left to be filled in,
   *     and loading the file says so
   * @return the campaign's name
   * @throws CampaignException if the file exists or the name is not one
   * @throws IOException if the file cannot be written
   */
  public static String write(Path file, Optional<String> name, Optional<String> program)
      throws IOException {
    Origin origin = Origin.whole(file);
    String campaign = name.orElseGet(() -> nameFor(file));
    if (!campaign.matches(Campaign.NAME)) {
      throw new Problems()
          .fatal(origin, "name", "'" + campaign + "' does not match " + Campaign.NAME);
    }
    try {
      Files.writeString(file, render(campaign, program), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException failure) {
      throw new Problems()
          .fatal(origin, "", "already exists; choose another file, or remove it first");
    }
    return campaign;
  }

  /**
   * The text of a new campaign file.
   *
   * @param name the campaign's name
   * @param program the program to test, if it is known
   */
  public static String render(String name, Optional<String> program) {
    CampaignTemplate template = new CampaignTemplate(program);
    for (KeyDescription key : KeyDescription.of(Campaign.class)) {
      template.text.append('\n');
      if (key.name().equals("name")) {
        template.explain(key, "");
        template.line("", false, "name: " + name);
      } else {
        template.key(key, "", false);
      }
    }
    return template.text.toString();
  }

  /** A campaign's name made from a file's. */
  private static String nameFor(Path file) {
    String stem =
        String.valueOf(file.toAbsolutePath().normalize().getFileName())
            .replaceFirst("\\.ya?ml$", "");
    String name =
        stem.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    return name.isEmpty() ? "campaign" : name.substring(0, Math.min(name.length(), 64));
  }

  private void key(KeyDescription key, String indent, boolean commented) {
    explain(key, indent);
    boolean optional = commented || !key.isRequired();
    boolean expanded = indent.isEmpty() && (key.isRequired() || key.key().example().isEmpty());
    if (key.section().isPresent() && expanded) {
      line(indent, optional, key.name() + ":");
      for (KeyDescription inner : KeyDescription.of(key.section().get())) {
        key(inner, indent + "  ", optional);
      }
    } else {
      line(indent, optional, key.name() + ": " + value(key));
    }
  }

  private String value(KeyDescription key) {
    String value =
        key.key().defaultValue().isEmpty() ? key.key().example() : key.key().defaultValue();
    boolean command = key.isRequired() && key.type() == CommandTemplate.class;
    if (command && program.isEmpty()) {
      return "[] # fill it in, for example " + value;
    }
    return program.map(path -> value.replace(EXAMPLE_PROGRAM, quoted(path))).orElse(value);
  }

  /** A program's path as YAML and templates need it. */
  public static String quoted(String path) {
    String literal = TextTemplate.literal(path).text();
    return literal.matches("[A-Za-z0-9_./][A-Za-z0-9_./-]*")
        ? literal
        : TextNode.valueOf(literal).toString();
  }

  private void line(String indent, boolean commented, String content) {
    text.append(commented ? "#" : "").append(indent).append(content).append('\n');
  }

  private void explain(KeyDescription key, String indent) {
    StringBuilder line = new StringBuilder(indent + "#");
    for (String word : List.of(Descriptions.of(key).split(" "))) {
      if (line.length() + 1 + word.length() > WIDTH) {
        text.append(line).append('\n');
        line = new StringBuilder(indent + "#");
      }
      line.append(' ').append(word);
    }
    text.append(line).append('\n');
  }
}
