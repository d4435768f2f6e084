/**
 * {@code powercut replay}: {@code ReplayChoice} finds the crash that is meant, {@code Replay} makes
 * it again and asks recovery, {@code Debugger} puts gdb on the target or on recovery.
 */
@NullMarked
package io.powercut.orchestrator.replay;

import org.jspecify.annotations.NullMarked;
