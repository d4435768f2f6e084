@NullMarked
package io.powercut.orchestrator.campaign;

import org.jspecify.annotations.NullMarked;
