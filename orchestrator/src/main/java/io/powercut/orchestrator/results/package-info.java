/** What a run leaves behind, and how tree, verdicts and patterns become one report. */
@NullMarked
package io.powercut.orchestrator.results;

import org.jspecify.annotations.NullMarked;
