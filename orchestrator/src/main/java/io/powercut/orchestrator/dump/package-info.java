/** What an application holds after recovery, in its own words, and how that is compared. */
@NullMarked
package io.powercut.orchestrator.dump;

import org.jspecify.annotations.NullMarked;
