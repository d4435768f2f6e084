// SPDX-License-Identifier: Apache-2.0
package io.powercut.exit;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why the system did not read, write or make a file, and what to do about it, for a person. Java
 * says part of it by the name of an exception, and not which directory of a path is the reason.
 *
 * @param file what was read, written or made; empty if it is not known
 * @param reason such as {@code its file system is read-only}; it reads on behind the file and a
 *     colon
 * @param remedy what to do, such as {@code choose another place, or mount it for writing}
 */
public record FileProblem(String file, String reason, String remedy) {
  /** What Java says of a program that cannot be started. */
  private static final Pattern NOT_STARTED =
      Pattern.compile("Cannot run program \"(?<program>.*?)\".*error=\\d+, (?<reason>.*)");

  private static final String OTHER_PLACE = "choose another place";
  private static final String CHECK = "check the file and its permissions";

  /** What is known of a failure. */
  public static FileProblem of(IOException failure) {
    if (failure instanceof FileSystemException known && known.getFile() != null) {
      return of(subject(known), known);
    }
    Matcher program = NOT_STARTED.matcher(String.valueOf(failure.getMessage()));
    return program.lookingAt()
        ? new FileProblem(program.group("program"), lower(program.group("reason")), CHECK)
        : new FileProblem("", unnamed(failure), CHECK);
  }

  /**
   * What is known of a failure that may not know its file.
   *
   * @param file what was read or written
   */
  public static FileProblem of(Path file, IOException failure) {
    return failure instanceof FileSystemException known && known.getFile() != null
        ? of(failure)
        : new FileProblem(file.toString(), unnamed(failure), CHECK);
  }

  /** The file and the reason. */
  public String text() {
    return file.isEmpty() ? reason : file + ": " + reason;
  }

  /** The same where the sentence has named a file already, which need not be the one. */
  public String textBeside(Path named) {
    boolean isSame = Path.of(file).toAbsolutePath().equals(named.toAbsolutePath());
    return isSame ? reason : text();
  }

  /** Where a file is copied or moved, it is mostly the other place that refuses. */
  private static Path subject(FileSystemException failure) {
    Path file = Path.of(failure.getFile());
    boolean isOther = !(failure instanceof NoSuchFileException) || isThere(file);
    return failure.getOtherFile() != null && isOther ? Path.of(failure.getOtherFile()) : file;
  }

  private static FileProblem of(Path file, FileSystemException failure) {
    String name = file.toString();
    if (failure instanceof NoSuchFileException) {
      return new FileProblem(name, missing(file), "check the path, or make what is missing");
    }
    if (failure instanceof AccessDeniedException) {
      return new FileProblem(
          name, "permission denied" + owner(file), "change the permissions, or name another");
    }
    String reason = String.valueOf(failure.getReason());
    if (failure instanceof FileAlreadyExistsException
        || failure instanceof NotDirectoryException
        || reason.contains("Not a directory")) {
      return new FileProblem(name, inTheWay(file), "move it away, or " + OTHER_PLACE);
    }
    if (failure instanceof DirectoryNotEmptyException) {
      return new FileProblem(name, "it is a directory that is not empty", OTHER_PLACE);
    }
    if (reason.contains("Read-only")) {
      return new FileProblem(
          name, "its file system is read-only", OTHER_PLACE + ", or mount it for writing");
    }
    if (reason.contains("Too many levels")) {
      return new FileProblem(name, "its links lead in a circle", "change the link");
    }
    if (reason.contains("Operation not permitted")) {
      return new FileProblem(
          name,
          "operation not permitted (perhaps an attribute forbids it, see lsattr)",
          OTHER_PLACE);
    }
    return new FileProblem(
        name, failure.getReason() == null ? "it cannot be used" : lower(reason), OTHER_PLACE);
  }

  /** The part of the path that is missing: one of its directories or the file itself. */
  private static String missing(Path file) {
    Path whole = file.toAbsolutePath();
    Path first = whole;
    for (Path above = whole.getParent();
        above != null && !Files.exists(above);
        above = above.getParent()) {
      first = above;
    }
    return (first.equals(whole) ? "it " : first + " ") + absence(first);
  }

  private static String absence(Path file) {
    try {
      return isThere(file)
          ? "is a link to %s, which does not exist".formatted(Files.readSymbolicLink(file))
          : "does not exist";
    } catch (IOException e) {
      return "does not exist";
    }
  }

  /** Something stands where a directory has to be, or where something else is to be made. */
  private static String inTheWay(Path file) {
    for (Path above = file.toAbsolutePath().getParent(); above != null; above = above.getParent()) {
      if (Files.exists(above) && !Files.isDirectory(above)) {
        return above + " is not a directory";
      }
    }
    if (!Files.exists(file)) {
      return "it " + absence(file);
    }
    return Files.isDirectory(file) ? "it exists already" : "it is not a directory";
  }

  /** Of the file itself, or of the nearest directory above it that is there. */
  private static String owner(Path file) {
    Path there = file.toAbsolutePath();
    while (!isThere(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      PosixFileAttributes found =
          Files.readAttributes(there, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return " (%s belongs to %s, with %s)"
          .formatted(
              there, found.owner().getName(), PosixFilePermissions.toString(found.permissions()));
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  private static boolean isThere(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static String unnamed(IOException failure) {
    if (failure instanceof CharacterCodingException) {
      return "it is not a text in UTF-8";
    }
    String message = Optional.ofNullable(failure.getMessage()).orElse("");
    if (message.isEmpty()) {
      return failure instanceof EOFException ? "it ends too early" : "the system gives no reason";
    }
    return message;
  }

  /** As within a sentence; abbreviations stay. */
  private static String lower(String reason) {
    return reason.length() > 1 && Character.isLowerCase(reason.charAt(1))
        ? Character.toLowerCase(reason.charAt(0)) + reason.substring(1)
        : reason;
  }
}
