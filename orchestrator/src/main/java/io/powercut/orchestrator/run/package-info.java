@NullMarked
package io.powercut.orchestrator.run;

import org.jspecify.annotations.NullMarked;
