// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Writes to a channel while another thread waits for its input: with the stream that {@code
 * java.nio.channels.Channels} makes, one would wait for the other.
 */
final class ChannelOutput extends OutputStream {
  private final WritableByteChannel channel;

  ChannelOutput(WritableByteChannel channel) {
    this.channel = channel;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes, offset, length);
    while (left.hasRemaining()) {
      channel.write(left);
    }
  }
}
