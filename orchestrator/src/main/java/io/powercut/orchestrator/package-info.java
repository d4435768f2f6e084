@NullMarked
package io.powercut.orchestrator;

import org.jspecify.annotations.NullMarked;
