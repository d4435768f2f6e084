package io.powercut.orchestrator.run;

import io.powercut.image.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.report.Judgement;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What recovery made of images, by their contents: equal images get one recovery between them. Safe
 * for use by several threads.
 */
final class KnownImages {
  private final Map<ImageHash, CompletableFuture<Judgement>> judged = new ConcurrentHashMap<>();
  private final Map<ImageHash, Verdict.Kind> probed = new ConcurrentHashMap<>();

  /**
   * The verdict on an image of program order, which may be still to come.
   *
   * @param mine completed by the caller when there was none so far
   */
  CompletableFuture<Judgement> verdict(ImageHash hash, CompletableFuture<Judgement> mine) {
    CompletableFuture<Judgement> known = judged.putIfAbsent(hash, mine);
    return known == null ? mine : known;
  }

  /** What recovery said of an image when it was last asked. */
  Optional<Verdict.Kind> probe(ImageHash hash) {
    CompletableFuture<Judgement> known = judged.get(hash);
    if (known != null && known.isDone() && !known.isCompletedExceptionally()) {
      return Optional.of(known.join().kind());
    }
    return Optional.ofNullable(probed.get(hash));
  }

  /** Keeps what recovery said. */
  void probed(ImageHash hash, Verdict.Kind kind) {
    probed.put(hash, kind);
  }
}
