/**
 * What recovery reads of an image: {@code WatchedReads} and {@code RecordedReads} run it to see
 * that, {@code KnownReads} and {@code StoreReads} remember it.
 */
@NullMarked
package io.powercut.orchestrator.reads;

import org.jspecify.annotations.NullMarked;
