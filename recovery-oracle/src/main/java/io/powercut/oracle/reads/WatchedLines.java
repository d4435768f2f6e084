// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

import static java.util.Objects.requireNonNull;

import io.powercut.process.CommandSpec;
import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lines of files that are watched while commands run, one command after the other. A watched byte
 * counts as read if a command read it before it overwrote it, and whenever that is not sure.
 *
 * <p>The pages of these lines are made inaccessible, and each access to them traps ({@code
 * recovery-oracle/native}). Everything else runs natively. Jaaru (Gorjiara, Xu and Demsky, ASPLOS
 * 2021) learns what recovery reads from programs that it compiles; this needs no change of the
 * program.
 */
public final class WatchedLines {
  private static final String PROGRAM = "powercut-reads";

  /** The layout of the file is that of {@code lines.h}. */
  private static final long MAGIC = 0x3453444145524350L;

  private static final int COUNT_AT = 8;
  private static final int FOLLOWED_AT = 12;
  private static final int TRAPS_AT = 16;
  private static final int ROOM_AT = 20;
  private static final int NODES_AT = 24;
  private static final int WRONG_AT = 28;
  private static final int BUSY_AT = 32;
  private static final int REASON_AT = 36;
  private static final int HEADER = 256;
  private static final int LINE = 56;
  private static final int READ_AT = 32;
  private static final int TURN_AT = 40;
  private static final int LINE_TRAPS_AT = 48;
  private static final int NODE = 24;
  private static final int LEFT_AT = 4;
  private static final int RIGHT_AT = 8;
  private static final int VALUE_AT = 16;

  private final Path file;
  private final Map<FileLine, Integer> numbers;

  private WatchedLines(Path file, Map<FileLine, Integer> numbers) {
    this.file = file;
    this.numbers = numbers;
  }

  /**
   * Nothing of them is read yet.
   *
   * @param file does not exist; holds the lines and what is known of them
   * @param lines with a bit for each of their bytes that is watched, the lowest for the first byte
   */
  public static WatchedLines create(Path file, Map<FileLine, Long> lines, Effort effort)
      throws IOException {
    Map<FileLine, Integer> numbers = new HashMap<>();
    int size = HEADER + LINE * lines.size() + NODE * effort.room;
    ByteBuffer bytes = order(ByteBuffer.allocate(size));
    bytes.putLong(MAGIC).putInt(COUNT_AT, lines.size()).putInt(TRAPS_AT, effort.traps);
    bytes.putInt(ROOM_AT, effort.room).position(HEADER);
    lines.forEach(
        (line, mask) -> {
          numbers.put(line, numbers.size());
          bytes.putLong(line.device()).putLong(line.inode()).putLong(line.offset());
          bytes.putLong(mask).putLong(0).putLong(0).putLong(0);
        });
    Files.write(file, bytes.array());
    return new WatchedLines(file, numbers);
  }

  private static ByteBuffer order(ByteBuffer bytes) {
    return bytes.order(ByteOrder.nativeOrder());
  }

  /** The same command with the same ending, which says what of the lines it read. */
  public CommandSpec watch(CommandSpec command) {
    List<String> arguments = new ArrayList<>();
    arguments.add(PowercutHome.nativeProgram("recovery-oracle", PROGRAM).toString());
    arguments.add(file.toString());
    arguments.addAll(command.arguments());
    return command.toBuilder().arguments(arguments).build();
  }

  /**
   * What is known when commands are over. The next ones add to it.
   *
   * @param commands how many ran since this was asked last
   * @return nothing unless each of them was followed to its end
   */
  public Optional<Answer> answer(int commands) throws IOException {
    byte[] content = Files.readAllBytes(file);
    int followed = order(ByteBuffer.wrap(content)).getInt(FOLLOWED_AT);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(Integer.BYTES), FOLLOWED_AT);
    }
    return commands > 0 && followed == commands
        ? Optional.of(new Answer(Map.copyOf(numbers), content))
        : Optional.empty();
  }

  /** What is known of the lines. */
  public static final class Answer {
    private final Map<FileLine, Integer> numbers;
    private final byte[] content;

    private Answer(Map<FileLine, Integer> numbers, byte[] content) {
      this.numbers = numbers;
      this.content = content;
    }

    /** What was read of a line or may have been; all of it of a line that was not watched. */
    public LineRead read(FileLine line) {
      Integer number = numbers.get(line);
      return number == null
          ? LineRead.ALL
          : new LineRead(word(number, READ_AT), word(number, TURN_AT));
    }

    private long word(int number, int at) {
      return order(ByteBuffer.wrap(content)).getLong(HEADER + number * LINE + at);
    }

    /**
     * What else has to be as it was.
     *
     * @param names of the lines, as they were given
     */
    Conditions conditions(Map<FileLine, ImageLine> names) {
      ByteBuffer buffer = order(ByteBuffer.wrap(content));
      Conditions.Node[] nodes = new Conditions.Node[buffer.getInt(NODES_AT)];
      int first = HEADER + LINE * numbers.size();
      for (int index = 0; index < nodes.length; index++) {
        int at = first + NODE * index;
        nodes[index] =
            new Conditions.Node(
                content[at],
                content[at + 1],
                content[at + 2],
                buffer.getInt(at + LEFT_AT),
                buffer.getInt(at + RIGHT_AT),
                buffer.getLong(at + VALUE_AT));
      }
      ImageLine[] lines = new ImageLine[nodes.length == 0 ? 0 : numbers.size()];
      if (nodes.length > 0) {
        numbers.forEach((line, number) -> lines[number] = requireNonNull(names.get(line)));
      }
      return new Conditions(List.of(lines), nodes);
    }

    /** How many accesses to the page of a line trapped; 0 of a line that was not watched. */
    public long traps(FileLine line) {
      Integer number = numbers.get(line);
      return number == null ? 0 : word(number, LINE_TRAPS_AT);
    }

    /** Whether pages count as read because there were very many accesses to them. */
    boolean isCoarse() {
      return order(ByteBuffer.wrap(content)).getInt(BUSY_AT) > 0;
    }

    /** How often an instruction did not do what was expected: then no condition depends on it. */
    public int wrong() {
      return order(ByteBuffer.wrap(content)).getInt(WRONG_AT);
    }

    /** Whether something of a line was read or may have been. */
    public boolean isRead(FileLine line) {
      return read(line).isAny();
    }

    /** Why all lines count as read; empty if they do not. */
    public String reason() {
      int end = REASON_AT;
      while (end < HEADER && content[end] != 0) {
        end++;
      }
      return new String(content, REASON_AT, end - REASON_AT, StandardCharsets.UTF_8);
    }
  }
}
