// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The two pipes to a supervisor. No separate thread reads: a thread that waits reads, and hands the
 * answers of others to them, so that the usual case, one thread running one short command, costs no
 * switch between threads.
 */
final class Conversation {
  private final OutputStream requests;
  private final InputStream answers;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final FrameWriter writer = new FrameWriter();
  private boolean someoneReads;
  private boolean lost;

  Conversation(OutputStream requests, InputStream answers) {
    this.requests = requests;
    this.answers = new BufferedInputStream(answers, 32 << 10);
  }

  /**
   * Writes one request. That it is no longer read is noticed by the thread that waits for the
   * answer.
   */
  void send(Consumer<FrameWriter> request) {
    synchronized (writer) {
      request.accept(writer);
      try {
        writer.sendTo(requests);
      } catch (IOException e) {
        // The supervisor has ended, and so will its answers.
      }
    }
  }

  /** Runs with the lock under which answers are handed on. */
  void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads, or lets another thread read, until the condition holds or the supervisor is gone;
   * answers go to the receiver, which is called with the lock held, as is the condition.
   *
   * @return whether the condition holds
   */
  boolean readUntil(BooleanSupplier condition, Consumer<Frame> receiver) {
    lock.lock();
    try {
      while (!condition.getAsBoolean()) {
        if (lost) {
          return false;
        }
        if (someoneReads) {
          changed.awaitUninterruptibly();
        } else {
          readOne(receiver);
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void readOne(Consumer<Frame> receiver) {
    someoneReads = true;
    lock.unlock();
    @Nullable Frame frame;
    try {
      frame = Frame.readFrom(answers);
    } catch (IOException e) {
      frame = null;
    } finally {
      lock.lock();
      someoneReads = false;
      changed.signalAll();
    }
    if (frame == null) {
      lost = true;
    } else {
      receiver.accept(frame);
    }
  }

  boolean isLost() {
    lock.lock();
    try {
      return lost;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the requests, at which the supervisor kills what runs and ends. */
  void close() {
    synchronized (writer) {
      try {
        requests.close();
      } catch (IOException e) {
        // It had been closed from the other side.
      }
    }
  }
}
