/** The states that a power cut may leave in persistent memory besides the one of program order. */
@NullMarked
package io.powercut.persistency.states;

import org.jspecify.annotations.NullMarked;
