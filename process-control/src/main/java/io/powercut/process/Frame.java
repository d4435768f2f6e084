// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * One frame from the supervisor. The format is described in wire.h.
 *
 * @param type what it is
 * @param payload what it says, at the place up to which it was read
 */
record Frame(int type, ByteBuffer payload) {
  static final int VERSION = 3;

  static final int RUN = 1;
  static final int STOP = 2;
  static final int KILL = 3;
  static final int STATUS = 4;

  static final int HELLO = 100;
  static final int STARTED = 101;
  static final int STATUS_IS = 102;
  static final int ENDED = 103;

  private static final int HEADER = 5;
  private static final int LONGEST = 1 << 20;

  /** Waits for the next one. */
  static Frame readFrom(InputStream stream) throws IOException {
    ByteBuffer header = read(stream, HEADER);
    int length = header.getInt();
    int type = header.get();
    if (length < 0 || length > LONGEST) {
      throw new IOException("the supervisor sent something that is not a frame");
    }
    return new Frame(type, read(stream, length));
  }

  private static ByteBuffer read(InputStream stream, int length) throws IOException {
    byte[] bytes = stream.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the supervisor has ended");
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  String string() {
    byte[] bytes = new byte[payload.getInt()];
    payload.get(bytes);
    payload.get();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  String rest() {
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
