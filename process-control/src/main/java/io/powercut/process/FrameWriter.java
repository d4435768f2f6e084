// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds one frame after another in the same buffer. The format is described in wire.h. */
final class FrameWriter {
  private static final int HEADER = 5;

  private byte[] bytes = new byte[4096];
  private int length;

  FrameWriter begin(int type) {
    length = 0;
    return int32(0).int8(type);
  }

  private FrameWriter int8(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
    return this;
  }

  FrameWriter int32(int value) {
    for (int shift = 0; shift < 32; shift += 8) {
      int8(value >>> shift);
    }
    return this;
  }

  FrameWriter int64(long value) {
    return int32((int) value).int32((int) (value >>> 32));
  }

  FrameWriter string(String value) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    int32(encoded.length);
    reserve(encoded.length);
    System.arraycopy(encoded, 0, bytes, length, encoded.length);
    length += encoded.length;
    return int8(0);
  }

  void sendTo(OutputStream stream) throws IOException {
    int end = length;
    length = 0;
    int32(end - HEADER);
    stream.write(bytes, 0, end);
    stream.flush();
  }

  private void reserve(int count) {
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
    }
  }
}
