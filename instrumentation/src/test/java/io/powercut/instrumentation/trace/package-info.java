@NullMarked
package io.powercut.instrumentation.trace;

import org.jspecify.annotations.NullMarked;
