// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What recovery made of images, by their contents: equal images, with equal acknowledgements, get
 * one recovery between them. Safe for use by several threads.
 */
public final class VerdictCache {
  /**
   * What recovery gets, and what its result is compared with.
   *
   * @param image the contents of its files
   * @param acknowledged how much the target had acknowledged; nothing if recovery does not read it
   * @param between the images whose contents are allowed after recovery; none if they are not
   *     compared
   */
  public record Key(ImageHash image, OptionalLong acknowledged, List<ImageHash> between) {
    public Key {
      between = List.copyOf(between);
    }

    public static Key of(ImageHash image, Optional<Acknowledgement> acknowledged) {
      return new Key(
          image, acknowledged.stream().mapToLong(Acknowledgement::bytes).findFirst(), List.of());
    }

    /** Of a state of a moment. */
    public static Key of(ImageHash image, CrashPoint moment) {
      return new Key(
          image,
          of(image, moment.acknowledged()).acknowledged(),
          moment.between().map(Between::images).orElse(List.of()));
    }

    /** The same image with another acknowledgement. */
    public Key acknowledging(Optional<Acknowledgement> other) {
      return new Key(image, of(image, other).acknowledged(), between);
    }
  }

  private final Map<ImageHash, Occurrence> passed = new ConcurrentHashMap<>();

  /** How many came before it. */
  private final Map<Occurrence, Integer> order = new ConcurrentHashMap<>();

  private final Map<Key, CompletableFuture<Judgement>> judged;
  private final Map<Key, Verdict.Kind> probed;

  /** Nothing is known yet. */
  public VerdictCache() {
    this(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
  }

  private VerdictCache(
      Map<Key, CompletableFuture<Judgement>> judged, Map<Key, Verdict.Kind> probed) {
    this.judged = judged;
    this.probed = probed;
  }

  /**
   * The same knowledge for images of another trace, as of recovery that is cut: what passed there
   * is kept apart.
   */
  public VerdictCache ofAnotherTrace() {
    return new VerdictCache(judged, probed);
  }

  /**
   * Remembers a program-order image by the first occurrence that had it. Called in the order of the
   * trace.
   */
  public void pass(ImageHash image, Occurrence at) {
    order.putIfAbsent(at, order.size());
    passed.putIfAbsent(image, at);
  }

  /**
   * The first occurrence that had this image in program order.
   *
   * @param here an occurrence that was passed; later ones do not count, whatever is known of them
   *     by now
   */
  public Optional<Occurrence> passed(ImageHash image, Occurrence here) {
    return Optional.ofNullable(passed.get(image)).filter(at -> orderOf(at) < orderOf(here));
  }

  /**
   * Whether a failure point had occurred, so that its first occurrence was passed.
   *
   * @param here as above
   */
  public boolean hasPassed(FailurePointId id, Occurrence here) {
    Integer first = order.get(new Occurrence(id, 1));
    return first != null && first < orderOf(here);
  }

  private int orderOf(Occurrence occurrence) {
    return Objects.requireNonNull(order.get(occurrence), "an occurrence that was not passed");
  }

  /**
   * The verdict on an image, which may be still to come.
   *
   * @param mine completed by the caller when there was none so far
   */
  public CompletableFuture<Judgement> verdict(Key key, CompletableFuture<Judgement> mine) {
    CompletableFuture<Judgement> known = judged.putIfAbsent(key, mine);
    return known == null ? mine : known;
  }

  /** What recovery said of an image when it was last asked. */
  public Optional<Verdict.Kind> probe(Key key) {
    CompletableFuture<Judgement> known = judged.get(key);
    if (known != null && known.isDone() && !known.isCompletedExceptionally()) {
      return Optional.of(known.join().kind());
    }
    return Optional.ofNullable(probed.get(key));
  }

  /** Keeps what recovery said. */
  void probed(Key key, Verdict.Kind kind) {
    probed.put(key, kind);
  }
}
