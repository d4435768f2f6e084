@NullMarked
package io.powercut.orchestrator.cli.progress;

import org.jspecify.annotations.NullMarked;
