// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.rundir.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchPlanTest {
  /** All batches of a campaign, each of which takes as long as its parts do. */
  private static List<Shard> batches(BatchPlan plan, double overhead, double secondsAPart) {
    List<Shard> batches = new ArrayList<>();
    for (Optional<Shard> next = plan.next(); next.isPresent(); next = plan.next()) {
      batches.add(next.get());
      plan.took(next.get(), overhead + size(next.get()) * secondsAPart);
    }
    return batches;
  }

  private static int size(Shard batch) {
    return batch.last() - batch.index() + 1;
  }

  @Test
  void batchesShouldCoverAllPartsOnce() {
    List<Shard> batches = batches(new BatchPlan(265, 0.1, List.of()), 2, 0.7);

    int next = 1;
    for (Shard batch : batches) {
      assertThat(batch.index()).isEqualTo(next);
      assertThat(batch.count()).isEqualTo(265);
      next = batch.last() + 1;
    }
    assertThat(next).isEqualTo(266);
  }

  @Test
  void batchesShouldComeToTakeFromHalfAMinuteToTwoMinutes() {
    List<Shard> batches = batches(new BatchPlan(4000, 0.01, List.of()), 2, 0.5);

    assertThat(batches).hasSizeGreaterThan(10);
    for (Shard batch : batches.subList(4, batches.size())) {
      assertThat(2 + size(batch) * 0.5).isBetween(30.0, 120.0);
    }
  }

  @Test
  void aFailurePointThatTakesLongShouldBeABatchOfItsOwn() {
    assertThat(batches(new BatchPlan(5, 10, List.of()), 0, 200)).hasSize(5);
  }

  @Test
  void aSmallCampaignShouldBeOneBatch() {
    assertThat(batches(new BatchPlan(10, 0.02, List.of()), 1, 0.1)).hasSize(1);
  }

  @Test
  void veryManyFailurePointsShouldShareParts() {
    assertThat(batches(new BatchPlan(1_000_000, 0.001, List.of()), 0, 60))
        .last()
        .extracting(Shard::last)
        .isEqualTo(4096);
  }

  @Test
  void whatWasJudgedBeforeShouldBeLeftOut() {
    List<Shard> judged = List.of(new Shard(1, 4, 30), new Shard(11, 12, 30), new Shard(30, 30));

    List<Shard> batches = batches(new BatchPlan(30, 0.2, judged), 0, 5);

    List<Integer> parts = new ArrayList<>();
    judged.forEach(one -> addParts(one, parts));
    batches.forEach(one -> addParts(one, parts));
    assertThat(parts)
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 30).boxed().toList());
  }

  private static void addParts(Shard batch, List<Integer> parts) {
    IntStream.rangeClosed(batch.index(), batch.last()).forEach(parts::add);
  }
}
