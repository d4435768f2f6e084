// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import io.powercut.image.files.Difference;
import io.powercut.orchestrator.replay.Replay;
import io.powercut.report.evidence.Judgement;
import io.powercut.tree.FailurePoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A comparison in lines for a terminal. */
public final class VerifySummary {
  private static final int SHOWN = 5;

  private final VerifyResult result;
  private final List<String> lines = new ArrayList<>();

  private VerifySummary(VerifyResult result) {
    this.result = result;
  }

  /** The lines. */
  public static List<String> of(VerifyResult result) {
    VerifySummary summary = new VerifySummary(result);
    result.first().ifPresent(summary::addDifference);
    result.verdictDifferences().stream().limit(SHOWN).forEach(summary::addVerdicts);
    summary.addPoints("only the recorded run reached it", result.onlyRecorded());
    summary.addPoints("only the re-executed run reached it", result.onlyReExecuted());
    summary.addReasons("image not compared", result.notCompared());
    summary.addReasons("verdict not compared", result.verdictsNotCompared());
    summary.addCounts();
    return List.copyOf(summary.lines);
  }

  private void addDifference(LeafDifference leaf) {
    lines.add("the first images that differ:");
    addPoint(leaf.point());
    leaf.difference().accept(new Sides());
    lines.add("  cause: " + leaf.cause().text() + ".");
    if (leaf.holdsPath()) {
      lines.add(
          "  It stores the path of its PM directory there, which differs in every execution.");
    }
    lines.add("");
  }

  private void addTexts(String name, String first, String second) {
    lines.add("  " + name);
    lines.add("    recorded     " + first);
    lines.add("    re-executed  " + second);
  }

  private static String spaced(String hex) {
    return hex.replaceAll("(..)(?=.)", "$1 ");
  }

  private void addVerdicts(VerdictDifference difference) {
    lines.add("verdicts differ:");
    addPoint(difference.point());
    lines.add("    recorded     " + verdict(difference.recorded()));
    lines.add("    re-executed  " + verdict(difference.reExecuted()));
    lines.add("");
  }

  private static String verdict(Judgement judgement) {
    return judgement.kind().name().toLowerCase(Locale.ROOT) + ": " + judgement.seen();
  }

  private void addPoints(String title, List<FailurePoint> points) {
    points.stream()
        .limit(SHOWN)
        .forEach(
            point -> {
              lines.add(title + ":");
              addPoint(point);
              lines.add("");
            });
  }

  private void addPoint(FailurePoint point) {
    lines.add(
        "  failure point %s, before %s:".formatted(point.id(), point.instruction().inWords()));
    Replay.frames(point).forEach(frame -> lines.add("    " + frame.text()));
  }

  private void addReasons(String title, Map<FailurePoint, String> reasons) {
    reasons.entrySet().stream()
        .limit(SHOWN)
        .forEach(entry -> lines.add(title + ": " + entry.getKey().id() + ": " + entry.getValue()));
  }

  private void addCounts() {
    addCount("failure points", result.leaves());
    addCount("  images identical", result.identical());
    addCount("  images different", result.different());
    addCount("  only in the recorded run", result.onlyRecorded().size());
    addCount("  only when re-executed", result.onlyReExecuted().size());
    addCount("  images not compared", result.notCompared().size());
    addCount("  verdicts equal", result.equalVerdicts());
    addCount("  verdicts different", result.verdictDifferences().size());
    addCount("  verdicts not compared", result.verdictsNotCompared().size());
    lines.add(
        switch (result.origin()) {
          case NOWHERE -> withoutDifference();
          case TARGET ->
              "the target is not deterministic, so the two injection modes cannot be compared; recorded"
                  + " images come from one run and are not affected";
          case RECOVERY -> "recovery gives different verdicts on equal images";
          case POWERCUT ->
              "the two injection modes disagree, although the target behaves the same when recorded"
                  + " twice: this looks like a bug in Powercut. Please report it";
        });
  }

  private String withoutDifference() {
    return switch (result.exitCode()) {
      case NOTHING_NEW -> "both injection modes agree";
      case NOT_TRUSTWORTHY ->
          "nothing was compared: the target reached no flush, fence or msync after a store to PM, and the"
              + " end of a run is not compared";
      default -> "no difference was found, but not everything could be compared";
    };
  }

  private void addCount(String title, int count) {
    lines.add("%-28s%8d".formatted(title, count));
  }

  /** What the two images have, where they differ. */
  private final class Sides implements Difference.Visitor {
    @Override
    public void visit(Difference.OnlyInFirst only) {
      addOnly(only.path(), "recorded");
    }

    @Override
    public void visit(Difference.OnlyInSecond only) {
      addOnly(only.path(), "re-executed");
    }

    private void addOnly(Path path, String way) {
      lines.add("  " + path + " is in the " + way + " image only");
    }

    @Override
    public void visit(Difference.KindDiffers kind) {
      addTexts(kind.path().toString(), kind.first(), kind.second());
    }

    @Override
    public void visit(Difference.AttributesDiffer attributes) {
      String name = attributes.path().toString();
      addTexts(name.isEmpty() ? "{pm}" : name, attributes.first(), attributes.second());
    }

    @Override
    public void visit(Difference.NamesDiffer names) {
      addTexts("all names of " + names.path(), names.first(), names.second());
    }

    @Override
    public void visit(Difference.SizeDiffers size) {
      addTexts("file " + size.path(), size.first() + " bytes", size.second() + " bytes");
    }

    @Override
    public void visit(Difference.BytesDiffer bytes) {
      addTexts(
          "file " + bytes.path() + ", from offset 0x" + Long.toHexString(bytes.offset()),
          spaced(bytes.first()),
          spaced(bytes.second()));
    }
  }
}
