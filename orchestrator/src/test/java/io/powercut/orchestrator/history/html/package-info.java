@NullMarked
package io.powercut.orchestrator.history.html;

import org.jspecify.annotations.NullMarked;
