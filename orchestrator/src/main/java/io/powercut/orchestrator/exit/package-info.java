/** How a command of Powercut ends: exit codes, and the exceptions and the file that say why. */
@NullMarked
package io.powercut.orchestrator.exit;

import org.jspecify.annotations.NullMarked;
