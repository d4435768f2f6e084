// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import io.powercut.persistency.scratch.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A file for what does not fit in memory; the owner of its directory removes it. */
public final class ScratchFile implements Scratch, AutoCloseable {
  private final SparseFile file;
  private ByteBuffer direct = ByteBuffer.allocateDirect(0);

  public ScratchFile(Path path) throws IOException {
    this.file = SparseFile.create(path, 0600);
  }

  @Override
  public synchronized void write(long position, byte[] bytes) throws IOException {
    grow(bytes.length);
    direct.put(0, bytes);
    file.write(direct, 0, bytes.length, position);
  }

  @Override
  public synchronized void read(long position, byte[] into) throws IOException {
    grow(into.length);
    if (file.read(direct, 0, into.length, position) != into.length) {
      throw new IOException(file.path() + " was truncated by another process");
    }
    direct.get(0, into);
  }

  private void grow(int size) {
    if (direct.capacity() < size) {
      direct = ByteBuffer.allocateDirect(size);
    }
  }

  @Override
  public synchronized void close() {
    file.close();
  }
}
