/**
 * Searches for states that nothing decides yet: {@code SearchTime} says how long they may take,
 * {@code SearchYield} where they are worth it.
 */
@NullMarked
package io.powercut.orchestrator.searches;

import org.jspecify.annotations.NullMarked;
