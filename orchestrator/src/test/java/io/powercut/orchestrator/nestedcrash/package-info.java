@NullMarked
package io.powercut.orchestrator.nestedcrash;

import org.jspecify.annotations.NullMarked;
