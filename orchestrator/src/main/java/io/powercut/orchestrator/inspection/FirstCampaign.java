// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.inspection;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignException;
import io.powercut.campaign.Problems;
import io.powercut.campaign.loading.CampaignTemplate;
import io.powercut.campaign.yaml.Origin;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A short campaign file for a program: its commands as far as the program tells them, and what is
 * left to fill in.
 *
 * @param text of the file
 * @param seen what the program told of itself, one line each
 * @param toFillIn what is a guess only, one line each
 */
public record FirstCampaign(String text, List<String> seen, List<String> toFillIn) {
  private static final String DIRECTORY = "\"{pm}\"";
  private static final String FILE = "\"{pm}/pool\"";
  private static final String COUNT = "\"{operations}\"";

  /** Copies the lists. */
  public FirstCampaign {
    seen = List.copyOf(seen);
    toFillIn = List.copyOf(toFillIn);
  }

  /**
   * Makes one.
   *
   * @param name the campaign's name
   * @param program as the user writes it
   * @param scratch an empty directory, in which the program is asked for help
   */
  public static FirstCampaign of(String name, String program, Path scratch) throws IOException {
    Optional<Path> file = ProgramFile.find(program);
    Optional<ProgramFacts> facts = Optional.empty();
    if (file.isPresent()) {
      facts = Optional.of(ProgramInspection.of(file.get(), scratch));
    }
    return new Writer(name, program, facts).write();
  }

  /**
   * Writes it to a new file.
   *
   * @throws CampaignException if the file exists, or the name is not one
   */
  public void write(Path file, String name) throws IOException {
    Origin origin = Origin.whole(file);
    if (!name.matches(Campaign.NAME)) {
      throw new Problems().fatal(origin, "name", "'" + name + "' does not match " + Campaign.NAME);
    }
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException failure) {
      throw new Problems()
          .fatal(origin, "", "already exists; choose another file, or remove it first");
    }
  }

  /** Puts the lines together. */
  private static final class Writer {
    private final String name;
    private final String program;
    private final Optional<ProgramFacts> facts;
    private final Optional<HelpText> help;
    private final List<String> lines = new ArrayList<>();
    private final List<String> toFillIn = new ArrayList<>();
    private boolean hasCount;

    Writer(String name, String program, Optional<ProgramFacts> facts) {
      this.name = name;
      this.program = CampaignTemplate.quoted(program);
      this.facts = facts;
      this.help = facts.flatMap(ProgramFacts::help);
    }

    FirstCampaign write() {
      lines.add("# What is run, where its power is cut, and what judges the rest.");
      lines.add("# Commands are lists, not shell lines. {pm} is the private directory of each");
      lines.add("# execution: all persistent files must be in it. Quote it: YAML wants that.");
      lines.add("# All keys: powercut init --all-keys, and docs/campaign-file.md.");
      lines.add("name: " + name);
      Optional<String> creating = help.flatMap(HelpText::creating);
      lines.add("");
      lines.add("# Creates the files from which every execution starts.");
      if (creating.isPresent()) {
        lines.add("setup:");
        lines.add("  command: " + command(creating));
      } else {
        lines.add("#setup:");
        lines.add("#  command: [" + program + ", create, " + place() + "]");
      }
      Optional<String> working = help.flatMap(HelpText::working);
      lines.add("");
      lines.add(
          "# Works on them, is recorded, and has its power cut. Small and repeatable is best.");
      lines.add("target:");
      lines.add("  command: " + command(working) + guess(working, "target.command"));
      lines.add("  timeout: 60s");
      Optional<String> checking = help.flatMap(HelpText::checking);
      lines.add("");
      lines.add("# Opens them after the power cut: exit code 0 if they are sound, another if not.");
      lines.add("# It should recover, read everything, and know what must be there.");
      lines.add("recovery:");
      lines.add("  command: " + command(checking) + guess(checking, "recovery.command"));
      lines.add("  timeout: 30s");
      if (hasCount) {
        lines.add("");
        lines.add("parameters:");
        lines.add("  operations: 100");
      }
      lines.add("");
      lines.add("# Compiles it before every run:");
      lines.add("#build: {command: [make]}");
      lines.add("");
      lines.add("limits:");
      lines.add("  time: 10m # injection ends then; --resume continues");
      return new FirstCampaign(
          String.join("\n", lines) + "\n",
          facts
              .map(ProgramFacts::inWords)
              .orElse(List.of("there is no such program yet, so it could not be looked at")),
          toFillIn);
    }

    private String guess(Optional<String> found, String key) {
      if (found.isPresent()) {
        return "";
      }
      toFillIn.add("line " + (lines.size() + 1) + ": the arguments of " + key);
      return " # FILL IN its arguments";
    }

    private String command(Optional<String> subcommand) {
      List<String> parts = new ArrayList<>();
      parts.add(program);
      subcommand.ifPresent(parts::add);
      parts.add(place());
      if (subcommand.isPresent() && help.orElseThrow().wantsCount(subcommand.get())) {
        parts.add(COUNT);
        hasCount = true;
      }
      return "[" + String.join(", ", parts) + "]";
    }

    private String place() {
      return help.map(HelpText::wantsDirectory).orElse(false) ? DIRECTORY : FILE;
    }
  }
}
