@NullMarked
package io.powercut.orchestrator.exploration;

import org.jspecify.annotations.NullMarked;
