@NullMarked
package io.powercut.orchestrator.cli;

import org.jspecify.annotations.NullMarked;
