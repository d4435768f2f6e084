// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.tree.CallStack;

/**
 * A race whose reader has stored something, or written output, while the store that it read is
 * still in flight. A crash may now lose the store and leave what followed from it.
 *
 * @param site the instruction that stored, one of {@code TraceEvent.SiteDefined}
 * @param store what stored
 * @param load what loaded
 */
public record RaceInFlight(int site, CallStack store, CallStack load) {}
