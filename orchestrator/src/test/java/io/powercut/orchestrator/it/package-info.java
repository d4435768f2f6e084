/** Whole campaigns with real programs, the real recorder and real recoveries. */
@NullMarked
package io.powercut.orchestrator.it;

import org.jspecify.annotations.NullMarked;
