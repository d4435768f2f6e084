// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One command of a supervisor, and what is known of it so far. Its fields are guarded by the
 * conversation's lock.
 */
final class SupervisedCommand implements RunningCommand {
  private static final int FIXED_ADDRESSES = 1;
  private static final int TELL_START = 2;

  private final Conversation conversation;
  private final CommandSpec command;
  private final Supplier<String> lossReason;
  private long pid;
  private String tail = "";
  private int statusesAsked;
  private int statusesTold;
  private @Nullable CommandResult result;

  SupervisedCommand(Conversation conversation, CommandSpec command, Supplier<String> lossReason) {
    this.conversation = conversation;
    this.command = command;
    this.lossReason = lossReason;
  }

  void begin(boolean waitForStart) {
    conversation.send(writer -> encode(writer, waitForStart));
    if (waitForStart) {
      await(() -> pid != 0 || result != null);
    }
  }

  private void encode(FrameWriter writer, boolean tellStart) {
    writer
        .begin(Frame.RUN)
        .int32(
            (command.addressSpaceRandomised() ? 0 : FIXED_ADDRESSES) | (tellStart ? TELL_START : 0))
        .int64(command.timeLimit().toNanos())
        .int64(command.cpuLimit().map(Duration::toNanos).orElse(0L))
        .int64(command.memoryLimit().map(DataSize::bytes).orElse(0L))
        .int64(command.outputLimit().bytes())
        .string(command.workingDirectory().toAbsolutePath().toString())
        .string(command.outputFile().map(file -> file.toAbsolutePath().toString()).orElse(""))
        .string(command.ownPm().map(own -> own.toAbsolutePath().toString()).orElse(""))
        .int32(command.spaceGuards().size());
    for (SpaceGuard guard : command.spaceGuards()) {
      writer
          .int64(guard.reserve().map(DataSize::bytes).orElse(0L))
          .int64(guard.limit().map(DataSize::bytes).orElse(0L))
          .string(guard.directory().toAbsolutePath().toString());
    }
    writer.int32(command.arguments().size());
    command.arguments().forEach(writer::string);
    writer.int32(command.environment().size());
    command.environment().forEach((name, value) -> writer.string(name + "=" + value));
  }

  /** Waits, and if the supervisor is lost meanwhile, that is the result. */
  private void await(BooleanSupplier condition) {
    if (!conversation.readUntil(condition, this::receive)) {
      String reason = lossReason.get();
      conversation.locked(
          () -> {
            if (result == null) {
              result = CommandResult.lost(command, reason);
            }
          });
    }
  }

  private void receive(Frame frame) {
    switch (frame.type()) {
      case Frame.STARTED -> pid = Integer.toUnsignedLong(frame.payload().getInt());
      case Frame.STATUS_IS -> receiveStatus(frame);
      case Frame.ENDED -> result = Answers.result(command, frame);
      default ->
          throw new IllegalStateException("the supervisor sent a frame of type " + frame.type());
    }
  }

  /**
   * An answer that says "nothing runs" was asked for by the command before this one, which had just
   * ended.
   */
  private void receiveStatus(Frame frame) {
    if (frame.payload().get() != 0) {
      tail = frame.rest();
      statusesTold++;
    }
  }

  @Override
  public long pid() {
    return pid;
  }

  boolean hasResult() {
    boolean[] known = new boolean[1];
    conversation.locked(() -> known[0] = result != null);
    return known[0];
  }

  private void askStatus() {
    int[] ticket = new int[1];
    conversation.locked(() -> ticket[0] = ++statusesAsked);
    conversation.send(writer -> writer.begin(Frame.STATUS));
    await(() -> statusesTold - ticket[0] >= 0 || result != null);
  }

  @Override
  public boolean isRunning() {
    if (!hasResult()) {
      askStatus();
    }
    return !hasResult();
  }

  @Override
  public String outputTail() {
    if (!hasResult()) {
      askStatus();
    }
    CommandResult known = result;
    return known == null ? tail : known.outputTail();
  }

  @Override
  public CommandResult await() {
    await(() -> result != null);
    CommandResult known = result;
    if (known == null) {
      throw new IllegalStateException("a command ended without a result");
    }
    return known;
  }

  @Override
  public CommandResult stop(Signal signal, Duration grace) {
    if (!hasResult()) {
      conversation.send(
          writer -> writer.begin(Frame.STOP).int32(signal.number()).int64(grace.toNanos()));
    }
    return await();
  }

  @Override
  public CommandResult kill() {
    if (!hasResult()) {
      conversation.send(writer -> writer.begin(Frame.KILL));
    }
    return await();
  }
}
