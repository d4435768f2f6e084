// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PageCacheTest {
  /** What the smallest cache holds. */
  private static final int PLACES = 1024;

  private final List<Long> kept = new ArrayList<>();
  private final List<Long> told = new ArrayList<>();
  private final PmFile file = PmFile.created(1L << 40);
  private final PageCache cache = new PageCache(1, (of, page, place) -> kept.add(page));

  private List<Long> dirty() throws IOException {
    told.clear();
    cache.forEachDirty((of, page, place) -> told.add(page));
    return told;
  }

  private List<Long> unsaved() throws IOException {
    told.clear();
    cache.forEachUnsaved((of, page, place) -> told.add(page));
    return told;
  }

  private void addPages(long from, long to) throws IOException {
    for (long page = from; page < to; page++) {
      cache.add(file, page);
    }
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  @Test
  void pagesShouldHavePlacesOfTheirOwn() throws IOException {
    for (int page = 0; page < PLACES; page++) {
      assertThat(cache.add(file, page)).isEqualTo(page);
      assertThat(file.cached().get(page)).isEqualTo(page);
    }
    assertThat(PageCache.offset(3)).isEqualTo(3 * PageHashing.PAGE);
    assertThat(cache.memory(PLACES - 1)).isSameAs(cache.memory(0));
    assertThat(kept).isEmpty();
  }

  @Test
  void aLargerCacheShouldHaveMoreMemory() throws IOException {
    PageCache larger = new PageCache(8 << 20, (of, page, place) -> kept.add(page));
    for (int page = 0; page < 2 * PLACES; page++) {
      larger.add(file, page);
    }
    assertThat(larger.memory(PLACES)).isNotSameAs(larger.memory(0));
    assertThat(larger.memory(PLACES).capacity()).isEqualTo(PLACES * PageHashing.PAGE);
    assertThat(PageCache.offset(PLACES)).isZero();
    assertThat(kept).isEmpty();

    larger.add(file, 2 * PLACES);

    assertThat(kept).containsExactly(0L);
  }

  @Test
  void pagesShouldGiveWayInTheOrderInWhichTheyCame() throws IOException {
    addPages(0, 3 * PLACES);

    assertThat(kept).isEqualTo(range(0, 2 * PLACES));
    assertThat(file.cached().get(2 * PLACES - 1)).isEqualTo(-1);
    assertThat(file.cached().get(2 * PLACES)).isZero();
    assertThat(file.cached().get(3 * PLACES - 1)).isEqualTo(PLACES - 1);
  }

  @Test
  void aPageThatIsStoredToShouldGetASecondChance() throws IOException {
    addPages(0, PLACES + 1);
    cache.touch(2);
    cache.touch(file.cached().get(3));
    addPages(PLACES + 1, PLACES + 3);

    assertThat(kept).containsExactly(0L, 1L, 4L);
    assertThat(file.cached().get(2)).isEqualTo(2);

    addPages(PLACES + 3, 2 * PLACES);
    assertThat(kept).hasSize(PLACES).endsWith(PLACES - 1L, 2L, 3L);
  }

  @Test
  void thePlaceOfADroppedPageShouldBeTakenFirst() throws IOException {
    addPages(0, 4);
    cache.drop(file, 1);
    cache.drop(file, 77);

    assertThat(file.cached().get(1)).isEqualTo(-1);
    assertThat(cache.add(file, 4)).isEqualTo(1);
    assertThat(cache.add(file, 5)).isEqualTo(4);
    assertThat(kept).as("a dropped page is not kept").isEmpty();
  }

  @Test
  void pagesShouldBeDirtyFromAStoreToTheNextCall() throws IOException {
    addPages(0, 4);
    assertThat(cache.isDirty(1)).isFalse();
    cache.touch(1);
    cache.touch(1);
    cache.touch(3);

    assertThat(cache.isDirty(1)).isTrue();
    assertThat(cache.isDirty(2)).isFalse();
    assertThat(dirty()).containsExactly(1L, 3L);
    assertThat(cache.isDirty(1)).isFalse();
    assertThat(dirty()).isEmpty();
    cache.touch(1);
    assertThat(dirty()).containsExactly(1L);
  }

  @Test
  void pagesShouldBeUnsavedUntilTheNextCall() throws IOException {
    addPages(0, 4);
    assertThat(cache.isUnsaved(1)).isFalse();
    cache.setUnsaved(1);
    cache.setUnsaved(1);
    cache.touch(2);

    assertThat(cache.isUnsaved(1)).isTrue();
    assertThat(cache.isUnsaved(2)).isFalse();
    assertThat(unsaved()).containsExactly(1L);
    assertThat(cache.isUnsaved(1)).isFalse();
    assertThat(unsaved()).isEmpty();
    assertThat(dirty()).containsExactly(2L);
  }

  @Test
  void whatWasSaidOfAPageShouldNotHoldForTheNextOneInItsPlace() throws IOException {
    addPages(0, 2);
    cache.touch(0);
    cache.setUnsaved(0);
    cache.touch(1);
    cache.setUnsaved(1);
    cache.drop(file, 0);
    cache.drop(file, 1);
    cache.add(file, 5);

    assertThat(dirty()).isEmpty();
    assertThat(unsaved()).isEmpty();
  }
}
