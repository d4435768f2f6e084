@NullMarked
package io.powercut.instrumentation;

import org.jspecify.annotations.NullMarked;
