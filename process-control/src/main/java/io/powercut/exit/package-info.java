/** How a command of Powercut ends: exit codes, and the exceptions that carry them. */
@NullMarked
package io.powercut.exit;

import org.jspecify.annotations.NullMarked;
