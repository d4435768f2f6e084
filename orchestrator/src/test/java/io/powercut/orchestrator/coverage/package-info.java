/** How many failure points workloads reach. */
@NullMarked
package io.powercut.orchestrator.coverage;

import org.jspecify.annotations.NullMarked;
