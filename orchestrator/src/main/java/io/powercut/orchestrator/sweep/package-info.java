/** Many campaigns one after the other, none of which can stop the others. */
@NullMarked
package io.powercut.orchestrator.sweep;

import org.jspecify.annotations.NullMarked;
