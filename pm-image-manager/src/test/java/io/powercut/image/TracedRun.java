// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.persistency.PersistentFiles;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FileAttributes;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/** Tells a consumer of a trace what is done to files, and makes up threads, flushes and fences. */
final class TracedRun implements PersistentFiles {
  private final Random random;
  private final TraceConsumer consumer;
  private long ordinal;

  TracedRun(long seed, TraceConsumer consumer) {
    this.random = new Random(seed);
    this.consumer = consumer;
  }

  private int thread() {
    return 1 + random.nextInt(2);
  }

  @Override
  public void define(int file, Origin origin, String path, long size) throws IOException {
    FileState state =
        switch (origin) {
          case EXISTING -> FileState.EXISTING;
          case CREATED -> FileState.CREATED;
          case CREATED_UNNAMED -> FileState.CREATED_UNNAMED;
          case LOST -> FileState.UNNAMED;
        };
    consumer.event(new TraceEvent.FileDefined(ordinal++, 1, file, state, size, path));
  }

  @Override
  public void store(int file, long offset, int size, ByteBuffer bytes, int position)
      throws IOException {
    int flags = random.nextInt(4) == 0 ? StoreFlags.NON_TEMPORAL : 0;
    long location = Location.of(file, offset);
    consumer.store(
        new StoreRecord(ordinal++, thread(), flags, 1, 1, location, size, bytes, position));
    if (random.nextInt(3) == 0) {
      FlushKind kind = random.nextBoolean() ? FlushKind.CLWB : FlushKind.CLFLUSH;
      consumer.flush(ordinal++, thread(), kind, 1, 1, location);
    }
    if (random.nextInt(10) == 0) {
      consumer.fence(ordinal++, thread(), FenceKind.SFENCE, 1, 1);
    }
  }

  @Override
  public void resize(int file, long size) throws IOException {
    consumer.event(new TraceEvent.FileResized(ordinal++, 1, file, size));
  }

  @Override
  public void zero(int file, long offset, long length) throws IOException {
    consumer.event(new TraceEvent.FileZeroed(ordinal++, 1, file, offset, length));
  }

  @Override
  public void rename(int file, String path) throws IOException {
    consumer.event(new TraceEvent.FileRenamed(ordinal++, 1, file, path, false));
  }

  @Override
  public void moveOut(int file) throws IOException {
    consumer.event(new TraceEvent.FileRenamed(ordinal++, 1, file, "/elsewhere", true));
  }

  @Override
  public void link(int file, String path) throws IOException {
    consumer.event(new TraceEvent.FileLinked(ordinal++, 1, file, path, false));
  }

  @Override
  public void delete(int file, String path, boolean hasOtherNames) throws IOException {
    consumer.event(new TraceEvent.FileDeleted(ordinal++, 1, file, path, hasOtherNames));
  }

  @Override
  public void createDirectory(String path) {}

  @Override
  public void deleteDirectory(String path) {}

  @Override
  public void renameDirectory(String from, String to) {}

  @Override
  public void createSymbolicLink(String path, String target) {}

  @Override
  public void setAttributes(int file, String path, FileAttributes attributes) throws IOException {
    consumer.event(new TraceEvent.AttributesTold(ordinal++, 1, file, path, attributes));
  }
}
