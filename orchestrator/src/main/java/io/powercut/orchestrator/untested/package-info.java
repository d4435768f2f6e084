/** Which functions of the target store to persistent memory but were never tested. */
@NullMarked
package io.powercut.orchestrator.untested;

import org.jspecify.annotations.NullMarked;
