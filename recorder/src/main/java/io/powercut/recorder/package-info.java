@NullMarked
package io.powercut.recorder;

import org.jspecify.annotations.NullMarked;
