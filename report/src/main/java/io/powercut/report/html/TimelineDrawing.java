// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.Timeline;
import io.powercut.report.format.Text;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A crash as a drawing: cache lines are lanes, and time goes to the right.
 *
 * @param lanes the cache lines
 * @param marks stores and flushes
 * @param walls fences, synchronisations and changes of metadata, which are about all lanes
 * @param bars from stores that nothing had persisted to the crash
 * @param labels source lines, above the marks
 * @param left where lanes begin
 * @param top where lanes begin
 * @param cut where the power is cut
 * @param width of the drawing
 * @param height of the drawing
 * @param kinds what there is to explain
 * @param more how many steps are left out, in words; empty if none is
 */
record TimelineDrawing(
    List<Lane> lanes,
    List<Mark> marks,
    List<Wall> walls,
    List<Bar> bars,
    List<Label> labels,
    int left,
    int top,
    int cut,
    int width,
    int height,
    Set<String> kinds,
    String more) {
  /** Labels are oblique, and so need space above and at the right. */
  private static List<StackFrame> lastCut(InjectionEvidence evidence) {
    return evidence.recoveryCrash().map(RecoveryCrash::stack).orElse(evidence.stack());
  }

  private static final double OBLIQUE = 4.6;

  private static final int ABOVE = 32;
  private static final double LETTER = 6.8;
  private static final int STEP = 34;
  private static final int LANE_HEIGHT = 34;
  private static final int BELOW = 14;
  private static final int BEHIND = 110;
  private static final int LINE = 64;
  private static final int LABEL_LENGTH = 26;
  private static final int FILE_LENGTH = 14;
  private static final int STORES_OF_CHANGES = 16;
  private static final int LACKING = 4;
  private static final int FRAMES = 6;
  private static final int FRAME_LENGTH = 160;

  /**
   * @param label file and offset
   * @param y its middle
   */
  record Lane(String label, int y) {}

  /**
   * @param kind {@code lost}, {@code persisted}, {@code early}, {@code in-flight}, {@code missing}
   *     or {@code flush}
   * @param about what is known of it, for a pointer that rests there
   */
  record Mark(String kind, String about, int x, int y) {}

  /**
   * @param kind {@code fence}, {@code sync} or {@code metadata}
   */
  record Wall(String kind, String about, int x) {}

  /**
   * @param kind of the mark
   */
  record Bar(String kind, int from, int y) {}

  /**
   * @param text function and source line
   */
  record Label(String text, int x) {}

  private record Line(String file, long offset) {
    static Line of(Timeline.Event step) {
      return new Line(step.file(), step.offset() / LINE * LINE);
    }
  }

  /** The drawing of a crash; nothing where nothing is known of what came before. */
  static Optional<TimelineDrawing> of(InjectionEvidence evidence) {
    if (evidence.recoveryCrash().isPresent() && evidence.state().isEmpty()) {
      return Optional.empty();
    }
    Timeline timeline = evidence.timeline().orElseGet(() -> fromStores(evidence));
    List<Timeline.Event> lacking =
        evidence.state().isPresent()
            ? List.of()
            : evidence.changes().lacks().map(TimelineDrawing::lacking).orElse(List.of());
    if (timeline.steps().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(of(timeline, lacking, label(lastCut(evidence)), more(evidence, timeline)));
  }

  private static TimelineDrawing of(
      Timeline timeline, List<Timeline.Event> lacking, String place, String more) {
    int top = top(timeline.steps(), lacking, place);
    Map<Line, Integer> lanes = lanes(timeline.steps(), lacking, top);
    int left = left(lanes.keySet());
    List<Mark> marks = new ArrayList<>();
    List<Wall> walls = new ArrayList<>();
    List<Label> labels = new ArrayList<>();
    List<Bar> bars = new ArrayList<>();
    int x = left + STEP;
    for (Timeline.Event step : timeline.steps()) {
      labels.add(new Label(label(step), x));
      String kind = kind(step);
      if (step.file().isEmpty()) {
        walls.add(new Wall(kind, about(step), x));
      } else {
        int y = lanes.getOrDefault(Line.of(step), top);
        marks.add(new Mark(kind, about(step), x, y));
        if (isUnsafe(step.fate())) {
          bars.add(new Bar(kind, x, y));
        }
      }
      x += STEP;
    }
    int cut = x;
    labels.add(new Label(place, cut));
    for (Timeline.Event step : lacking) {
      x += STEP;
      labels.add(new Label(label(step), x));
      marks.add(new Mark("missing", about(step), x, lanes.getOrDefault(Line.of(step), top)));
    }
    Set<String> kinds = new LinkedHashSet<>();
    marks.forEach(mark -> kinds.add(mark.kind()));
    walls.forEach(wall -> kinds.add(wall.kind()));
    return new TimelineDrawing(
        lanes.entrySet().stream()
            .map(lane -> new Lane(name(lane.getKey()), lane.getValue()))
            .toList(),
        marks,
        walls,
        bars,
        labels,
        left,
        top,
        cut,
        x + BEHIND,
        top + lanes.size() * LANE_HEIGHT + BELOW,
        kinds,
        more);
  }

  private static Map<Line, Integer> lanes(
      List<Timeline.Event> steps, List<Timeline.Event> lacking, int top) {
    Map<Line, Integer> lanes = new LinkedHashMap<>();
    List<Timeline.Event> all = new ArrayList<>(steps);
    all.addAll(lacking);
    for (Timeline.Event step : all) {
      if (!step.file().isEmpty()) {
        lanes.putIfAbsent(Line.of(step), top + lanes.size() * LANE_HEIGHT + LANE_HEIGHT / 2);
      }
    }
    return lanes;
  }

  /** What a kind of mark or wall means. */
  static String explained(String kind) {
    return switch (kind) {
      case "lost" -> "lost store";
      case "persisted" -> "store in the image";
      case "early" -> "store that persisted before the lost one";
      case "in-flight" -> "store in flight: in the image, but nothing guarantees it";
      case "missing" -> "store that comes too late";
      case "flush" -> "flush of the line";
      case "fence" -> "fence";
      case "sync" -> "system call that syncs";
      case "metadata" -> "system call that changes a name or a size";
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static String kind(Timeline.Event step) {
    return step.kind() == Timeline.Action.STORE ? step.fate().toString() : step.kind().toString();
  }

  private static boolean isUnsafe(Timeline.Fate fate) {
    return switch (fate) {
      case LOST, EARLY, IN_FLIGHT -> true;
      case PERSISTED, NONE -> false;
    };
  }

  /** Of a run that was not recorded, or an old one: stores alone, as far as they are known. */
  private static Timeline fromStores(InjectionEvidence evidence) {
    List<Timeline.Event> steps = new ArrayList<>();
    if (evidence.state().isPresent()) {
      JudgedState.Shown shown = evidence.state().get().shown();
      shown.lost().forEach(one -> steps.add(step(one, Timeline.Fate.LOST)));
      shown.arrived().forEach(one -> steps.add(step(one, Timeline.Fate.EARLY)));
      return new Timeline(steps, 0);
    }
    List<ImageStore> stores = evidence.changes().stores();
    List<ImageStore> last =
        stores.subList(Math.max(0, stores.size() - STORES_OF_CHANGES), stores.size());
    last.forEach(store -> steps.add(step(store, Timeline.Fate.PERSISTED)));
    return new Timeline(steps, stores.size() - last.size() + evidence.changes().more());
  }

  private static Timeline.Event step(JudgedState.Store store, Timeline.Fate fate) {
    Timeline.Event step = step(store.store(), fate);
    return new Timeline.Event(
        step.ordinal(),
        store.thread(),
        step.kind(),
        step.instruction(),
        fate,
        step.file(),
        step.offset(),
        step.size(),
        step.bytes(),
        step.stack());
  }

  private static Timeline.Event step(ImageStore store, Timeline.Fate fate) {
    return new Timeline.Event(
        0,
        0,
        Timeline.Action.STORE,
        "store",
        fate,
        store.file(),
        store.offset(),
        store.size(),
        store.bytes(),
        store.stack());
  }

  private static List<Timeline.Event> lacking(ImageLacks lacks) {
    return lacks.stores().stream()
        .limit(LACKING)
        .map(store -> step(store, Timeline.Fate.LOST))
        .toList();
  }

  private static String more(InjectionEvidence evidence, Timeline timeline) {
    List<String> more = new ArrayList<>();
    long lost =
        evidence.state().map(state -> state.lost().size()).orElse(0)
            - timeline.steps().stream().filter(step -> step.fate() == Timeline.Fate.LOST).count();
    if (lost > 0) {
      more.add(Page.counted(lost, "more lost store"));
    }
    if (timeline.more() > 0) {
      more.add(Page.counted(timeline.more(), "more step") + " to these lines");
    }
    return String.join(" and ", more);
  }

  private static String name(Line line) {
    String file = line.file().substring(line.file().lastIndexOf('/') + 1);
    String end =
        file.length() <= FILE_LENGTH ? file : "…" + file.substring(file.length() - FILE_LENGTH);
    return "%s+0x%x".formatted(end, line.offset());
  }

  private static int top(List<Timeline.Event> steps, List<Timeline.Event> lacking, String place) {
    int longest =
        Stream.concat(
                Stream.of(place),
                Stream.concat(steps.stream(), lacking.stream()).map(TimelineDrawing::label))
            .mapToInt(String::length)
            .max()
            .orElse(0);
    return ABOVE + (int) (longest * OBLIQUE);
  }

  private static int left(Set<Line> lines) {
    int longest = lines.stream().mapToInt(line -> name(line).length()).max().orElse(0);
    return (int) (longest * LETTER);
  }

  private static String label(Timeline.Event step) {
    return label(step.stack());
  }

  private static String label(List<StackFrame> stack) {
    return UserCode.of(stack)
        .map(TimelineDrawing::place)
        .map(place -> Text.beginning(Text.clean(place), LABEL_LENGTH))
        .orElse("?");
  }

  private static String place(StackFrame frame) {
    if (frame.file().isEmpty()) {
      return frame.function().isEmpty() ? frame.address() : frame.function();
    }
    return frame.file().substring(frame.file().lastIndexOf('/') + 1)
        + (frame.line() > 0 ? ":" + frame.line() : "");
  }

  private static String about(Timeline.Event step) {
    List<String> lines = new ArrayList<>();
    String by = step.thread() > 0 ? " by thread " + step.thread() : "";
    lines.add(step.instruction() + by + of(step));
    if (!step.bytes().isEmpty()) {
      String end = step.bytes().length() < 2 * step.size() ? "…" : "";
      lines.add("bytes " + spaced(step.bytes()) + end);
    }
    lines.addAll(
        step.stack().stream()
            .limit(FRAMES)
            .map(frame -> Text.beginning(frame.text(), FRAME_LENGTH))
            .toList());
    return lines.stream().collect(Collectors.joining("\n"));
  }

  private static String of(Timeline.Event step) {
    if (step.file().isEmpty()) {
      return "";
    }
    String place = String.format(Locale.ROOT, "%s at 0x%x", step.file(), step.offset());
    return step.kind() == Timeline.Action.STORE
        ? ", %s to %s: %s".formatted(Page.counted(step.size(), "byte"), place, fate(step.fate()))
        : " of " + place;
  }

  private static String fate(Timeline.Fate fate) {
    return switch (fate) {
      case LOST -> "lost";
      case PERSISTED -> "in the image";
      case EARLY -> "persisted early, although nothing made it";
      case IN_FLIGHT -> "in flight, but in the image";
      case NONE -> "";
    };
  }

  private static String spaced(String bytes) {
    return bytes.replaceAll("..(?!$)", "$0 ");
  }
}
