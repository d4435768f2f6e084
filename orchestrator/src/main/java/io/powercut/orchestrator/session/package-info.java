/**
 * What all parts of a run need: {@code Session} owns it from beginning to end, {@code RunContext}
 * is what it opens, {@code Preparation} builds the target and sets up, {@code ExecutionDirectories}
 * are the directories of one execution, {@code Budget} says how much may still be done. Runs no
 * target and asks no oracle by itself.
 */
@NullMarked
package io.powercut.orchestrator.session;

import org.jspecify.annotations.NullMarked;
