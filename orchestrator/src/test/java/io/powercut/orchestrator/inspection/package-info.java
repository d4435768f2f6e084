@NullMarked
package io.powercut.orchestrator.inspection;

import org.jspecify.annotations.NullMarked;
