// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

/** How much it may take to find out what recovery reads. */
public enum Effort {
  /** Pages with very many accesses count as read, and so does every byte that is loaded. */
  USUAL(0, 0),

  /**
   * What recovery does with what it loads is followed, too, one instruction at a time: a byte that
   * only {@linkplain Conditions conditions} depend on does not count as read.
   */
  FOLLOWED(0, 1 << 13),

  /** The same, and pages with very many accesses are watched for longer. */
  THOROUGH(1 << 13, 1 << 15);

  /** The most of a page and of all; 0 for the usual ones. */
  final int traps;

  /** The most nodes of conditions. */
  final int room;

  Effort(int traps, int room) {
    this.traps = traps;
    this.room = room;
  }
}
