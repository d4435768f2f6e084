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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The threads of the target: what orders them, and which locks they hold. */
final class Threads
    implements LockEvent.Visitor<RuntimeException>,
        ThreadEvent.Visitor<RuntimeException>,
        ProcessEvent.Visitor<RuntimeException> {
  private record Key(Lock object, LockKind kind) {}

  /**
   * Whether threads took turns in using persistent memory, or one after the other did all that it
   * does. What the first one stored then looks like initialisation to the next, and no race is seen
   * that does not show in locks. One may also have done all of it, while others ran beside it that
   * might have had a part: those of a pool, for example. A program's first thread often only waits
   * for the others, so it does not count as one that might.
   */
  private static final class Turns {
    /** A thread's last turn: how it was when that began, and when it last used the memory. */
    private static final class Turn {
      private final int number;
      private final Moment begin;
      private Moment last;

      Turn(int number, Moment begin) {
        this.number = number;
        this.begin = begin;
        this.last = begin;
      }
    }

    private final Map<Integer, Turn> byThread = new HashMap<>();

    /** Threads that run, and beside which no use was seen yet. */
    private final Set<Integer> fresh = new HashSet<>();

    /** Threads that used nothing, while others that nothing but locks orders did. */
    private final Set<Integer> idle = new HashSet<>();

    /** Threads that others made. */
    private final Set<Integer> made = new HashSet<>();

    private @Nullable Turn current;
    private int count;

    /** How many of those that others made used something. */
    private int users;

    private boolean isConcurrent;
    private boolean isAlternating;

    void use(Moment now) {
      if (isAlternating) {
        return;
      }
      if (!fresh.isEmpty()) {
        fresh.remove(now.thread());
        idle.addAll(fresh);
        fresh.clear();
      }
      if (current != null && current.begin.thread() == now.thread()) {
        if (current.begin.order() == now.order()) {
          current.last = now;
        } else { // What it learnt may order all that follows.
          begin(now);
        }
        return;
      }
      idle.remove(now.thread());
      Turn before = byThread.remove(now.thread());
      users += before == null && made.contains(now.thread()) ? 1 : 0;
      for (Turn other : byThread.values()) {
        if (!isBefore(other.last, now)) {
          isConcurrent = true;
          isAlternating |=
              before != null && other.number > before.number && !isBefore(before.last, other.begin);
        }
      }
      begin(now);
    }

    private void begin(Moment now) {
      current = new Turn(++count, now);
      byThread.put(now.thread(), current);
    }

    private static boolean isBefore(Moment one, Moment later) {
      return one.order().of(one.thread()) <= later.order().of(one.thread());
    }

    /** Another thread than the first of a program begins. */
    void starts(Moment now) {
      fresh.add(now.thread());
      made.add(now.thread());
      if (byThread.values().stream().anyMatch(turn -> !isBefore(turn.last, now))) {
        idle.add(now.thread()); // All may be done before it runs.
      }
    }

    void ends(int thread) {
      fresh.remove(thread);
    }

    /** It cannot use what others of its program have used. */
    void isNobody(int thread) {
      fresh.remove(thread);
      idle.remove(thread);
    }

    boolean hasOthers() {
      return !made.isEmpty();
    }

    boolean isSerial() {
      return isConcurrent ? !isAlternating : users <= 1 && !idle.isEmpty();
    }
  }

  private final Turns turns = new Turns();

  private final List<@Nullable TracedThread> threads = new ArrayList<>();
  private final Map<Key, SyncObject> objects = new HashMap<>();

  /** Who holds a mutex, if nobody released it since. */
  private final Map<Lock, TracedThread> owners = new HashMap<>();

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

  /** A thread uses persistent memory. */
  void use(int number) {
    TracedThread thread = get(number);
    thread.isActive();
    turns.use(thread.now());
  }

  /** Whether a thread has made another one. What came before is ordered before all of it. */
  boolean areSeveral() {
    return turns.hasOthers();
  }

  /**
   * Whether threads used persistent memory one after the other, although nothing but locks orders
   * them, or one of them alone used it.
   */
  boolean isSerial() {
    return turns.isSerial();
  }

  private static Lock lockOf(LockEvent event, TracedThread thread) {
    return new Lock(Location.isVolatile(event.object()) ? thread.process() : 0, event.object());
  }

  private SyncObject object(Lock lock, LockKind kind) {
    Key key = new Key(lock, kind);
    SyncObject known = objects.get(key);
    if (known == null) {
      known = new SyncObject(kind);
      objects.put(key, known);
    }
    return known;
  }

  @Override
  public void visit(TraceEvent.Acquired acquired) {
    TracedThread thread = get(acquired.thread());
    Lock lock = lockOf(acquired, thread);
    object(lock, acquired.kind()).acquire(thread, acquired.isShared(), acquired.ordinal());
    thread.isActive();
    if (acquired.kind().isHeld()) {
      thread.hold(
          lock, acquired, acquired.kind() == LockKind.MUTEX ? takeOver(lock, thread) : null);
    }
  }

  /** Whoever held it and did not release it is dead: else nobody could acquire it. */
  private HeldLock.@Nullable Before takeOver(Lock lock, TracedThread thread) {
    TracedThread owner = owners.put(lock, thread);
    HeldLock held = owner == null || owner == thread ? null : owner.find(lock);
    return held == null ? null : HeldLock.Before.of(owner, held);
  }

  @Override
  public void visit(TraceEvent.Released released) {
    TracedThread thread = get(released.thread());
    Lock lock = lockOf(released, thread);
    thread.releases();
    HeldLock held = released.kind().isHeld() ? thread.find(lock) : null;
    thread.isActive();
    if (released.kind() == LockKind.MUTEX && (held == null || held.depth() == 1)) {
      // By whomever: a mutex may be given back by a thread that has not locked it.
      owners.remove(lock);
    }
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
      turns.starts(thread.now());
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
    turns.ends(exited.exited());
  }

  @Override
  public void visit(TraceEvent.ThreadJoined joined) {
    follow(get(joined.thread()), get(joined.joined()), joined.ordinal());
  }

  @Override
  public void visit(TraceEvent.ProcessJoined joined) {
    outlive(joined.pid(), get(joined.thread()), joined.ordinal());
  }

  /** A thread goes on behind the end of all others of a process. */
  private void outlive(int pid, TracedThread thread, long ordinal) {
    for (TracedThread other : threads) {
      if (other != null && other != thread && other.process() == pid) {
        follow(thread, other, ordinal);
        turns.ends(other.number());
      }
    }
  }

  @Override
  public void visit(TraceEvent.ProcessStarted started) {
    TracedThread thread = get(started.thread());
    thread.setProcess(started.pid());
    follow(thread, get(started.creator()), started.ordinal());
    turns.starts(thread.now());
  }

  /** Its threads are gone, and so is its memory. */
  @Override
  public void visit(TraceEvent.ProgramReplaced replaced) {
    TracedThread thread = get(replaced.thread());
    outlive(replaced.pid(), thread, replaced.ordinal());
    turns.isNobody(thread.number());
    thread.setProcess(replaced.pid());
    forgetMemory(replaced.pid());
  }

  @Override
  public void visit(TraceEvent.ProcessExited exited) {
    turns.ends(exited.thread());
    forgetMemory(exited.pid());
  }

  private void forgetMemory(long pid) {
    objects.keySet().removeIf(key -> key.object().process() == pid);
    owners.keySet().removeIf(lock -> lock.process() == pid);
  }
}
