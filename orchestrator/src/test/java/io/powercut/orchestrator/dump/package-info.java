@NullMarked
package io.powercut.orchestrator.dump;

import org.jspecify.annotations.NullMarked;
