@NullMarked
package io.powercut.orchestrator.distribution;

import org.jspecify.annotations.NullMarked;
