@NullMarked
package io.powercut.orchestrator.history;

import org.jspecify.annotations.NullMarked;
