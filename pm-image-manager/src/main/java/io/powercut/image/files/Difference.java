// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.nio.file.Path;
import java.util.HexFormat;

/** The first difference between two directories of PM files. Paths are relative to them. */
public sealed interface Difference {
  /** The entry that differs. */
  Path path();

  /** One line for people. */
  String describe();

  /** Hands it to the method for its kind. */
  void accept(Visitor visitor);

  /** What to do with each kind. */
  interface Visitor {
    /** Visits a {@link OnlyInFirst}. */
    void visit(OnlyInFirst difference);

    /** Visits a {@link OnlyInSecond}. */
    void visit(OnlyInSecond difference);

    /** Visits a {@link KindDiffers}. */
    void visit(KindDiffers difference);

    /** Visits a {@link AttributesDiffer}. */
    void visit(AttributesDiffer difference);

    /** Visits a {@link NamesDiffer}. */
    void visit(NamesDiffer difference);

    /** Visits a {@link SizeDiffers}. */
    void visit(SizeDiffers difference);

    /** Visits a {@link BytesDiffer}. */
    void visit(BytesDiffer difference);
  }

  /** Only the first directory has this entry. */
  record OnlyInFirst(Path path) implements Difference {
    @Override
    public String describe() {
      return path + " is in the first only";
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /** Only the second directory has this entry. */
  record OnlyInSecond(Path path) implements Difference {
    @Override
    public String describe() {
      return path + " is in the second only";
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /** One is a file, the other a directory or a link, or links lead to different places. */
  record KindDiffers(Path path, String first, String second) implements Difference {
    @Override
    public String describe() {
      return path + " is a " + first + " in the first, a " + second + " in the second";
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * Two entries with different modes, owners or extended attributes.
   *
   * @param path empty for the directories themselves
   * @param first those of the first, in words
   * @param second those of the second
   */
  record AttributesDiffer(Path path, String first, String second) implements Difference {
    @Override
    public String describe() {
      String name = path.toString().isEmpty() ? "the directory itself" : path.toString();
      return name + " has " + first + " in the first, " + second + " in the second";
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * A file that has other names besides in one of them.
   *
   * @param first all of its names in the first, if there are several
   * @param second the same in the second
   */
  record NamesDiffer(Path path, String first, String second) implements Difference {
    @Override
    public String describe() {
      return path
          + " is one file with the names "
          + first
          + " in the first, "
          + second
          + " in the second";
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /** Two files of different sizes in bytes, equal up to the end of the shorter. */
  record SizeDiffers(Path path, long first, long second) implements Difference {
    @Override
    public String describe() {
      return path + " has " + first + " bytes in the first, " + second + " in the second";
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * Two files whose bytes differ.
   *
   * @param offset of the first byte that differs
   * @param first up to 16 bytes from there, in hexadecimal
   * @param second up to 16 bytes from there, in hexadecimal
   */
  record BytesDiffer(Path path, long offset, String first, String second) implements Difference {
    static final int SHOWN = 16;

    static BytesDiffer of(Path path, long offset, byte[] first, byte[] second) {
      HexFormat hex = HexFormat.of();
      return new BytesDiffer(path, offset, hex.formatHex(first), hex.formatHex(second));
    }

    @Override
    public String describe() {
      return path
          + " differs from offset 0x"
          + Long.toHexString(offset)
          + ": "
          + first
          + " in the first, "
          + second
          + " in the second";
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }
}
