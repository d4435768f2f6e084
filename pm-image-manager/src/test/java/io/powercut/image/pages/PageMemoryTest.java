// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.image.OpenFiles;
import io.powercut.image.files.EntryAttributes;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.image.files.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More pages than the cache holds. */
class PageMemoryTest {
  private static final int PAGE = PageHashing.PAGE;
  private static final int PLACES = 1024;
  private static final int PAGES = PLACES + 300;

  private final ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
  private final PmFile file = PmFile.created((long) PAGES * PAGE);

  @TempDir private Path directory;
  private PageMemory memory;

  @BeforeEach
  void open() throws IOException {
    memory = new PageMemory(new PrivateDirectory(directory), 1);
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private void store(PmFile into, long offset, long value) throws IOException {
    bytes.putLong(8, value);
    memory.store(into, offset, 8, bytes, 8);
  }

  private long read(PmFile from, long offset) throws IOException {
    byte[] word = new byte[8];
    memory.read(from, offset, word);
    return ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private void storeToAllPages() throws IOException {
    for (long page = 0; page < PAGES; page++) {
      store(file, page * PAGE + 8, page + 1);
    }
  }

  private static boolean isZero(PmFile file, long page) {
    return file.block(page).isZero(PageTable.indexInBlock(page));
  }

  @Test
  void pagesThatGaveWayShouldHoldWhatWasStored() throws IOException {
    storeToAllPages();

    assertThat(memory.store().size()).isEqualTo(PAGES - PLACES);
    for (long page = 0; page < PAGES; page++) {
      assertThat(read(file, page * PAGE + 8)).isEqualTo(page + 1);
      assertThat(read(file, page * PAGE)).isZero();
    }
  }

  /** Pages that gave way were hashed then; the others are when the hashes are asked for. */
  @Test
  void hashesShouldBeThoseOfTheContents() throws IOException {
    storeToAllPages();
    assertThat(isZero(file, 0)).isFalse();
    assertThat(isZero(file, PAGES - 1)).isTrue();

    memory.rehash();

    ByteBuffer page = ByteBuffer.allocateDirect(PAGE).order(ByteOrder.LITTLE_ENDIAN);
    long[] hash = new long[2];
    for (int number = 0; number < PAGES; number++) {
      page.putLong(8, number + 1);
      PageHashing.hash(page, 0, hash);
      PageBlock block = file.block(number);
      assertThat(block.low(PageTable.indexInBlock(number))).isEqualTo(hash[0]);
      assertThat(block.high(PageTable.indexInBlock(number))).isEqualTo(hash[1]);
    }
  }

  @Test
  void aPageThatIsKeptAlreadyShouldNotBeKeptAgain() throws IOException {
    storeToAllPages();
    assertThat(memory.save()).isZero();
    assertThat(memory.save()).isEqualTo(1);
    assertThat(memory.store().size()).isEqualTo(PAGES);
    int slot = file.slot(PAGES - 1);

    for (long page = 0; page < PAGES; page++) {
      read(file, page * PAGE);
    }
    memory.save();

    assertThat(memory.store().size()).isEqualTo(PAGES);
    assertThat(file.slot(PAGES - 1)).isEqualTo(slot);
    store(file, 8, 1);
    memory.save();
    assertThat(memory.store().size()).as("the same content again").isEqualTo(PAGES);
  }

  @Test
  void aPageThatIsZeroAgainShouldNeedNoRoom() throws IOException {
    store(file, 0, 7);
    store(file, PAGE, 8);
    memory.save();
    assertThat(memory.store().size()).isEqualTo(2);

    store(file, 0, 0);
    memory.zero(file, PAGE, 2 * PAGE);
    memory.save();

    assertThat(memory.store().size()).isZero();
    assertThat(file.slot(0)).isZero();
    assertThat(isZero(file, 0) && isZero(file, 1)).isTrue();
  }

  private PmFile base(Path path, byte[] content) throws IOException {
    Files.write(path, content);
    try (SparseFile real = SparseFile.openForReading(path)) {
      PageTable pages = PageScan.scan(real, content.length);
      return PmFile.ofBase(path, EntryAttributes.created(0600), content.length, pages);
    }
  }

  @Test
  void aPageThatCannotBeReadShouldNotStayInTheCache() throws IOException {
    byte[] content = new byte[PAGE];
    content[5] = 1;
    Path path = directory.resolve("base");
    PmFile based = base(path, content);
    Files.delete(path);

    assertThatThrownBy(() -> read(based, 0)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read(based, 0)).isInstanceOf(IOException.class);

    Files.write(path, content);
    assertThat(read(based, 0)).isEqualTo(1L << 40);
  }

  @Test
  void storesShouldEndAtTheEndOfTheFile() throws IOException {
    PmFile small = PmFile.created(PAGE + 12);
    for (int index = 0; index < bytes.capacity(); index++) {
      bytes.put(index, (byte) -1);
    }
    memory.store(small, PAGE + 4, 8, bytes, 0);
    memory.store(small, PAGE - 4, 8, bytes, 0);
    memory.store(small, PAGE + 8, 16, bytes, 0);
    memory.store(small, PAGE + 12, 8, bytes, 0);
    memory.store(small, PAGE + 100, 8, bytes, 0);

    assertThat(read(small, PAGE - 8)).isEqualTo(-1L << 32);
    assertThat(read(small, PAGE)).isEqualTo(-1L);
    assertThat(read(small, PAGE + 8)).isEqualTo(0xffffffffL);
    assertThat(read(small, PAGE + 96)).isZero();
  }

  @Test
  void valuesShouldBeStoredInTheOrderOfTheirBytes() throws IOException {
    ByteBuffer other = ByteBuffer.allocate(8).order(ByteOrder.BIG_ENDIAN).putLong(0, 1);

    memory.store(file, 0, 8, other, 0);

    assertThat(read(file, 0)).isEqualTo(1L << 56);
  }

  @Test
  void nothingShouldStayOpen() throws IOException {
    byte[] content = new byte[PAGE];
    content[0] = 1;
    PmFile based = base(directory.resolve("base"), content);
    store(based, 8, 1);
    memory.save();
    assertThat(OpenFiles.below(directory)).contains("pages", "base");

    memory.close();

    assertThat(OpenFiles.below(directory)).isEmpty();
  }
}
