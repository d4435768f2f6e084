@NullMarked
package io.powercut.orchestrator.sweep;

import org.jspecify.annotations.NullMarked;
