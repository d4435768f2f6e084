@NullMarked
package io.powercut.orchestrator.states;

import org.jspecify.annotations.NullMarked;
