/**
 * Cache lines and what is in flight in them: which stores a power cut may still take away. One
 * tracker follows the trace; patterns, crash states and others observe it, so that the rules of
 * persistency are here and nowhere else.
 *
 * <h2>The model</h2>
 *
 * <p>That of Raad, Wickerson, Neiger and Vafeiadis, "Persistency Semantics of the Intel-x86
 * Architecture" (POPL 2020), in the form with synchronous flushes of Khyzha and Lahav, "Taming
 * x86-TSO Persistency" (POPL 2021): what a flush promises is promised when its fence is over (or at
 * once, for {@code clflush}), not at some time after it. The trace is the memory order: a store is
 * visible to all where it stands. A crash at a point of the trace loses any part of what is not
 * guaranteed there, within these rules:
 *
 * <ul>
 *   <li>Stores consist of <em>units</em>, aligned and of 8 bytes, each of which persists as a whole
 *       or not at all; and of parts by cache line (64 bytes). Lines do not depend on each other.
 *   <li>Cached stores to one line persist in order: what persisted of them is a prefix, of whose
 *       last store any units may be missing. The elements of one string instruction ({@code rep
 *       movs}, {@code rep stos}) count as one store, whose units may be missing; those within a
 *       unit persist in order (Intel's manual, volume 3, "Fast-String Operation and Out-of-Order
 *       Stores", promises no order at all within one such instruction).
 *   <li>{@code clwb} and {@code clflushopt} of a line by a thread: all cached stores to that line
 *       before, by whatever thread, are guaranteed as soon as this thread has done a fence behind
 *       it. {@code clflush}: at once.
 *   <li>Fences are {@code sfence}, {@code mfence} and locked instructions, the latter in front of
 *       their own store.
 *   <li>Units of non-temporal stores depend on nothing but earlier stores to the same unit, and
 *       nothing but later stores to the same unit depends on them. They are guaranteed by a fence
 *       of the thread that stored; a flush by itself does nothing for them. (Raad, Maranget and
 *       Vafeiadis, "Extending Intel-x86 Consistency and Persistency", POPL 2022, have non-temporal
 *       stores; this is also the weakest reading of Intel's manual, volume 1, section 10.4.6.2.)
 *   <li>What must persist before something that is guaranteed is guaranteed as well.
 *   <li>{@code msync(MS_SYNC)}, {@code fsync}, {@code fdatasync} and {@code sync} guarantee, when
 *       they return success, what was stored to the lines they touch before they were called,
 *       whoever stored. One that fails guarantees nothing, nor do {@code msync(MS_ASYNC)} and
 *       {@code sync_file_range}. {@code fsync} of a directory persists names, and no contents.
 *   <li>What a call writes through a descriptor with {@code O_DSYNC} or {@code O_SYNC} is
 *       guaranteed when it returns.
 *   <li>With eADR cached stores are guaranteed when they are visible, non-temporal ones by a fence
 *       of their thread.
 * </ul>
 *
 * <h2>Limits</h2>
 *
 * <p>Sizes and names of files take effect and persist at once; bytes that are cut off have no
 * in-flight stores any more. Ranges that a call sets to zero are stores through the cache that no
 * flush guarantees, but for one behind a later store to the line; that file systems take whole
 * blocks is known to {@link io.powercut.persistency.states.WholeBlocks}. Stores by the kernel are
 * cached stores. Fences that the kernel executes do not count. On AMD processors {@code clflush} is
 * ordered by {@code mfence} alone; here it is Intel's.
 */
@NullMarked
package io.powercut.persistency.lines;

import org.jspecify.annotations.NullMarked;
