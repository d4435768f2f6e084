package io.powercut.persistency.states;

import io.powercut.instrumentation.trace.Location;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * What a cache line holds after a crash when it is not what program order says. Never changes.
 * Equal ones are of the same line and have the same content.
 */
public final class LineDifference {
  private final PendingLine line;
  private final long[] content;

  LineDifference(PendingLine line, long[] content) {
    this.line = line;
    this.content = content;
  }

  /** The line with all that may become of it. */
  public PendingLine line() {
    return line;
  }

  /** The {@link Location} of the line's first byte. */
  public long location() {
    return line.location();
  }

  /** What the line holds: a copy of its 64 bytes. Those behind the end of the file are zero. */
  public byte[] bytes() {
    return LineWords.toBytes(content);
  }

  /**
   * The stores that did not persist, in order; of those of which some units did, what is missing.
   * Where several choices lead to this content, one with the fewest.
   */
  public List<PendingStore> missing() {
    return line.missing(content);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LineDifference difference
        && difference.location() == location()
        && Arrays.equals(difference.content, content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content) + Long.hashCode(location());
  }

  @Override
  public String toString() {
    return Location.toString(location()) + " " + HexFormat.of().formatHex(bytes());
  }
}
