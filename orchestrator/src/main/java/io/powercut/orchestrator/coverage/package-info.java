/** How many failure points a workload reaches, by its size. */
@NullMarked
package io.powercut.orchestrator.coverage;

import org.jspecify.annotations.NullMarked;
