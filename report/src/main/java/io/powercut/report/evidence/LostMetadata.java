// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * The last changes of metadata that a power cut undid, with all that was stored since, although the
 * target had acknowledged the first of them.
 *
 * @param id 16 hexadecimal digits, the same for the same number of changes at one place of the run
 * @param fingerprint of the finding: of the function that made the first of them
 * @param calls the changes that are undone, the one to blame first, as far as they are known; never
 *     empty
 * @param undone how many changes that are
 * @param missing what is missing, in words
 * @param advice what to do; verified, as recovery succeeds if only later changes are undone
 */
public record LostMetadata(
    String id,
    String fingerprint,
    List<MetadataCall> calls,
    long undone,
    String missing,
    String advice) {
  /** The policy by whose name such states are counted. */
  public static final String POLICY = "metadata-lost";

  /** Copies the list. */
  public LostMetadata {
    calls = List.copyOf(calls);
  }

  /** Of a change that is to blame. */
  public static LostMetadata of(
      String id, String fingerprint, List<MetadataCall> calls, long undone) {
    MetadataCall first = calls.get(0);
    return new LostMetadata(
        id,
        fingerprint,
        calls,
        undone,
        "%s is acknowledged before %s is synchronised"
            .formatted(first.inWords(), first.isResize() ? "the file" : "its directory"),
        "call fsync on %s after it, before it is acknowledged"
            .formatted(first.isResize() ? "the file" : first.directories()));
  }

  /** What is wrong and what to do, in one line. */
  @JsonIgnore
  public String remedy() {
    return missing + ": " + advice + " (verified)";
  }

  /** The change that is to blame. */
  @JsonIgnore
  public MetadataCall first() {
    return calls.get(0);
  }
}
