/** Measures which forgotten flushes and fences a campaign would notice. */
@NullMarked
package io.powercut.orchestrator.strength;

import org.jspecify.annotations.NullMarked;
