@NullMarked
package io.powercut.process;

import org.jspecify.annotations.NullMarked;
