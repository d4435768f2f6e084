@NullMarked
package io.powercut.orchestrator.judging;

import org.jspecify.annotations.NullMarked;
