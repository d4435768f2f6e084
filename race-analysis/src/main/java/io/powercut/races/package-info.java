/**
 * Persistency-induced races: a thread loads what another thread stored and has not persisted yet,
 * and so may act on data that a crash removes.
 *
 * <p>Two analyses in one pass over a trace. <em>Locksets</em> are those of HawkSet (Oliveira,
 * Gonçalves and Matos, EuroSys 2025), section 3.1: which locks a thread holds from a store until it
 * is persisted. <em>Regions</em> are those of Vardalith, definitions 1 to 3.
 *
 * <h2>Definitions</h2>
 *
 * <p>The <em>window</em> of a byte that was stored reaches from the store to where the byte is
 * persisted, overwritten, cut off, set to zero or allocated anew, or to the end of the trace. A
 * window and a load of the byte by another thread are
 *
 * <ul>
 *   <li>{@code lockset}: no lock protects both, and neither the load happens before the store nor
 *       the end of the window before the load. Happens-before comes from the start and end of
 *       threads, barriers, condition variables, semaphores and {@code pthread_once}, and not from
 *       locks. A lock protects both if it was held from the store to the end of the window without
 *       being released, by the one thread that did both, and during the load, and not shared both
 *       times. What nothing ends, the locks protect that are never released. What another thread
 *       ends, no lock protects, with one exception: a mutex that the other thread had taken over
 *       from the dead one that stored (a robust mutex) was held all the time.
 *   <li>{@code region}: neither happens before the other where happens-before comes from locks,
 *       too. With the largest regions that definition 2 allows, that is the same as that the
 *       regions around them overlap: between the end of the window and the end of its region there
 *       is no release, so that what happens behind the one happens behind the other; and so on for
 *       the other three ends. Two readers of a lock are not ordered.
 *   <li>{@code observed}: the load was between the store and the end of the window.
 *   <li>{@code consequence}: and before the end of the window, something that the reader stored
 *       after the load was persisted, or it wrote output.
 * </ul>
 *
 * <p>A window that ended before a second thread accessed the byte is left out (HawkSet, section
 * 3.1.3), unless asked for.
 *
 * <p>Memory that is allocated again is new memory, which HawkSet lacks (sections 5.4 and 7): what
 * is stored in it, and what is loaded from it before or behind the allocation, have nothing to do
 * with each other, and no thread has accessed it. The allocation is where the function returns;
 * what its thread stored there since it entered the function comes behind it, and is initialisation
 * if it was persisted by then.
 *
 * <h2>Limits</h2>
 *
 * <p>Of a store past the cache that other such stores overlap, some bytes may be persisted before
 * the rest; here they are persisted with it, unless that was before a second thread began. The same
 * holds for a store of which a part is set to zero. A semaphore that several threads post lets each
 * that waits go on behind all of them. What is known of locks grows with their number. A lock that
 * another thread releases than the one that acquired it stays held.
 */
@NullMarked
package io.powercut.races;

import org.jspecify.annotations.NullMarked;
