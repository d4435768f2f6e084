/** Both ways of injection against each other. */
@NullMarked
package io.powercut.orchestrator.verify;

import org.jspecify.annotations.NullMarked;
