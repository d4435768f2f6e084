// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import java.util.Arrays;

/** What kind of instruction (or system call) a failure point stands before. */
public enum Instruction {
  CLFLUSH("clflush"),
  CLFLUSHOPT("clflushopt"),
  CLWB("clwb"),
  SFENCE("sfence"),
  MFENCE("mfence"),
  /** A locked read-modify-write or xchg, which has a fence's effect. */
  LOCKED("locked", "a locked instruction"),
  MSYNC("msync"),
  /** {@code msync(MS_ASYNC)}, which promises nothing. */
  MSYNC_ASYNC("msync-async", "msync(MS_ASYNC)"),
  FSYNC("fsync"),
  FDATASYNC("fdatasync"),
  SYNC_FILE_RANGE("sync_file_range"),
  /** {@code sync} or {@code syncfs}. */
  SYNC("sync"),
  STORE("store", "a store"),
  NON_TEMPORAL_STORE("nt-store", "a non-temporal store"),
  /** A system call that writes into mapped persistent memory, such as {@code read}. */
  KERNEL_STORE("kernel-store", "a store by the kernel"),
  /** {@code write} and the like on a PM file, not through a mapping. */
  FILE_WRITE("file-write", "a write to a file"),
  /** A system call that creates a file, a directory or a symbolic link. */
  CREATE("create", "the creation of a name"),
  RENAME("rename"),
  LINK("link"),
  /** {@code unlink} or {@code rmdir}. */
  UNLINK("unlink"),
  /** A system call that changes the size of a file without writing to it. */
  RESIZE("resize", "a change of a file's size"),
  /** Nothing: the run is over. */
  END("end-of-run", "the end");

  private final String label;
  private final String words;

  Instruction(String label) {
    this(label, label);
  }

  Instruction(String label, String words) {
    this.label = label;
    this.words = words;
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

  /** What it is in a sentence: "power cut before …". */
  public String inWords() {
    return words;
  }

  /** What the instruction of that name is in a sentence; the name if there is no such one. */
  public static String inWords(String label) {
    return Arrays.stream(values())
        .filter(instruction -> instruction.label.equals(label))
        .findFirst()
        .map(Instruction::inWords)
        .orElse(label);
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
