@NullMarked
package io.powercut.orchestrator.cli.manual;

import org.jspecify.annotations.NullMarked;
