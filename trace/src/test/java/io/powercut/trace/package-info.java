@NullMarked
package io.powercut.trace;

import org.jspecify.annotations.NullMarked;
