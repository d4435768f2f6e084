// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.races.HeldLock.Lock;
import io.powercut.trace.Location;
import io.powercut.trace.LockEvent;
import io.powercut.trace.LockKind;
import io.powercut.trace.ProcessEvent;
import io.powercut.trace.ThreadEvent;
import io.powercut.trace.TraceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The threads of the target: what orders them, and which locks they hold. */
final class Threads
    implements LockEvent.Visitor<RuntimeException>,
        ThreadEvent.Visitor<RuntimeException>,
        ProcessEvent.Visitor<RuntimeException> {
  private record Key(Lock object, LockKind kind) {}

  private final List<@Nullable TracedThread> threads = new ArrayList<>();
  private final Map<Key, SyncObject> objects = new HashMap<>();

  /** A thread by its number. */
  TracedThread get(int number) {
    while (threads.size() <= number) {
      threads.add(null);
    }
    TracedThread known = threads.get(number);
    if (known == null) {
      known = new TracedThread(number, 0);
      threads.set(number, known);
    }
    return known;
  }

  private static Lock lockOf(LockEvent event, TracedThread thread) {
    return new Lock(Location.isVolatile(event.object()) ? thread.process() : 0, event.object());
  }

  private SyncObject object(Lock lock, LockKind kind) {
    return objects.computeIfAbsent(new Key(lock, kind), key -> new SyncObject(kind));
  }

  @Override
  public void visit(TraceEvent.Acquired acquired) {
    TracedThread thread = get(acquired.thread());
    Lock lock = lockOf(acquired, thread);
    object(lock, acquired.kind()).acquire(thread, acquired.isShared(), acquired.ordinal());
    if (acquired.kind().isHeld()) {
      thread.hold(lock, acquired.kind(), acquired.isShared(), acquired.stack());
    }
  }

  @Override
  public void visit(TraceEvent.Released released) {
    TracedThread thread = get(released.thread());
    Lock lock = lockOf(released, thread);
    thread.releases();
    HeldLock held = released.kind().isHeld() ? thread.find(lock) : null;
    object(lock, released.kind()).release(thread, held != null && held.isShared());
    thread.released(released.kind().isHeld(), released.ordinal());
    if (held != null) {
      thread.release(held);
    }
  }

  @Override
  public void visit(TraceEvent.ThreadStarted started) {
    TracedThread thread = get(started.started());
    thread.setProcess(started.pid());
    if (started.creator() != 0) {
      follow(thread, get(started.creator()), started.ordinal());
    }
  }

  /** What a thread has done so far happens before what another one does from now on. */
  private static void follow(TracedThread next, TracedThread previous, long ordinal) {
    next.learn(previous.order(), previous.fullOrder(), ordinal);
    previous.released(false, ordinal);
  }

  @Override
  public void visit(TraceEvent.ThreadExited exited) {
    get(exited.thread()).released(false, exited.ordinal());
  }

  @Override
  public void visit(TraceEvent.ThreadJoined joined) {
    follow(get(joined.thread()), get(joined.joined()), joined.ordinal());
  }

  @Override
  public void visit(TraceEvent.ProcessStarted started) {
    TracedThread thread = get(started.thread());
    thread.setProcess(started.pid());
    follow(thread, get(started.creator()), started.ordinal());
  }

  /** Its threads are gone, and so is its memory. */
  @Override
  public void visit(TraceEvent.ProgramReplaced replaced) {
    TracedThread thread = get(replaced.thread());
    for (TracedThread other : threads) {
      if (other != null && other != thread && other.process() == replaced.pid()) {
        follow(thread, other, replaced.ordinal());
      }
    }
    thread.setProcess(replaced.pid());
    objects.keySet().removeIf(key -> key.object().process() == replaced.pid());
  }

  @Override
  public void visit(TraceEvent.ProcessExited exited) {
    objects.keySet().removeIf(key -> key.object().process() == exited.pid());
  }
}
