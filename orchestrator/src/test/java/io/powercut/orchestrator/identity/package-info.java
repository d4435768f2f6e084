@NullMarked
package io.powercut.orchestrator.identity;

import org.jspecify.annotations.NullMarked;
