// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

/** What kind of instruction (or system call) a failure point stands before. */
public enum Instruction {
  CLFLUSH("clflush"),
  CLFLUSHOPT("clflushopt"),
  CLWB("clwb"),
  SFENCE("sfence"),
  MFENCE("mfence"),
  /** A locked read-modify-write or xchg, which has a fence's effect. */
  LOCKED("locked"),
  MSYNC("msync"),
  /** {@code msync(MS_ASYNC)}, which promises nothing. */
  MSYNC_ASYNC("msync-async"),
  FSYNC("fsync"),
  FDATASYNC("fdatasync"),
  SYNC_FILE_RANGE("sync_file_range"),
  /** {@code sync} or {@code syncfs}. */
  SYNC("sync"),
  STORE("store"),
  NON_TEMPORAL_STORE("nt-store"),
  /** A system call that writes into mapped persistent memory, such as {@code read}. */
  KERNEL_STORE("kernel-store"),
  /** {@code write} and the like on a PM file, not through a mapping. */
  FILE_WRITE("file-write"),
  /** A system call that creates a file, a directory or a symbolic link. */
  CREATE("create"),
  RENAME("rename"),
  LINK("link"),
  /** {@code unlink} or {@code rmdir}. */
  UNLINK("unlink"),
  /** A system call that changes the size of a file without writing to it. */
  RESIZE("resize"),
  /** Nothing: the run is over. */
  END("end-of-run");

  private final String label;

  Instruction(String label) {
    this.label = label;
  }

  /**
   * Whether programs use it to persist by instructions, not by system calls; locked instructions
   * are everywhere.
   */
  public boolean isForCaches() {
    return switch (this) {
      case CLFLUSH, CLFLUSHOPT, CLWB, SFENCE, NON_TEMPORAL_STORE -> true;
      default -> false;
    };
  }

  /** The name used in files and drawings. */
  public String label() {
    return label;
  }

  /**
   * The instruction of that name.
   *
   * @throws IllegalArgumentException naming the text when there is none
   */
  public static Instruction parse(String label) {
    for (Instruction instruction : values()) {
      if (instruction.label.equals(label)) {
        return instruction;
      }
    }
    throw new IllegalArgumentException("\"" + label + "\" is not a kind of instruction");
  }
}
