/**
 * Patterns of misused persistent memory, found in one pass over a trace (Gonçalves et al., EuroSys
 * 2023, sections 2 and 4.2).
 */
@NullMarked
package io.powercut.analysis;

import org.jspecify.annotations.NullMarked;
