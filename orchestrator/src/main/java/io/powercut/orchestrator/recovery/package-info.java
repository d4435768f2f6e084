/** Running the steps of recovery one by one, with the recorder and without it. */
@NullMarked
package io.powercut.orchestrator.recovery;

import org.jspecify.annotations.NullMarked;
