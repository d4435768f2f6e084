// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import io.powercut.tree.Instruction;

/** How a store came about: a set of bits. */
public final class StoreFlags {
  /** A non-temporal store, which bypasses the cache and needs a fence only. */
  public static final int NON_TEMPORAL = 1;

  /** A system call wrote into mapped persistent memory. */
  public static final int KERNEL = 2;

  /** Part of a locked read-modify-write or xchg, which has a fence's effect. */
  public static final int LOCKED = 4;

  /** {@code write} and the like on a PM file, not through a mapping. */
  public static final int FILE_WRITE = 8;

  /**
   * Such a write through a descriptor that makes it durable before it returns ({@code O_DSYNC},
   * {@code O_SYNC}). It shares its bit with {@link #LOCKED}, which no write is.
   */
  public static final int SYNCHRONOUS_WRITE = FILE_WRITE | LOCKED;

  /**
   * A call made a range of a PM file read as zero ({@code fallocate}, {@code madvise}): what it
   * took away may come back until the file is synchronised. Flushes do nothing for it. It shares
   * its bit with {@link #KERNEL}, which no write is.
   */
  public static final int ZEROED = FILE_WRITE | KERNEL;

  /** One store in several records, and this is not the last of them. */
  public static final int MORE = 0x80;

  /**
   * A further element of the string instruction ({@code rep movs}, {@code rep stos}) of the record
   * before it, of the same thread. The processor may do the elements of one such instruction in any
   * order (Intel's manual, volume 3, "Fast-String Operation and Out-of-Order Stores").
   */
  public static final int ELEMENT = 0x100;

  private StoreFlags() {}

  /** Whether what was stored is durable already. */
  public static boolean isSynchronousWrite(int flags) {
    return (flags & SYNCHRONOUS_WRITE) == SYNCHRONOUS_WRITE;
  }

  /** Whether a range of a file was made to read as zero. */
  public static boolean isZeroed(int flags) {
    return (flags & ZEROED) == ZEROED;
  }

  /** The kind of instruction that such a store is. */
  public static Instruction instruction(int flags) {
    if ((flags & FILE_WRITE) != 0) {
      return Instruction.FILE_WRITE;
    }
    if ((flags & KERNEL) != 0) {
      return Instruction.KERNEL_STORE;
    }
    if ((flags & NON_TEMPORAL) != 0) {
      return Instruction.NON_TEMPORAL_STORE;
    }
    return Instruction.STORE;
  }
}
