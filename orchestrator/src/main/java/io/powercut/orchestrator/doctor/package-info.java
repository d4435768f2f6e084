/** Checks of the machine that {@code powercut doctor} makes. */
@NullMarked
package io.powercut.orchestrator.doctor;

import org.jspecify.annotations.NullMarked;
