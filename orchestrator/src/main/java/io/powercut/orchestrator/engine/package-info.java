/** Runs campaigns in terms of the Java API, whose types the command line uses, too. */
@NullMarked
package io.powercut.orchestrator.engine;

import org.jspecify.annotations.NullMarked;
