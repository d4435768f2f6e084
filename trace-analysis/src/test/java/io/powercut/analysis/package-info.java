@NullMarked
package io.powercut.analysis;

import org.jspecify.annotations.NullMarked;
