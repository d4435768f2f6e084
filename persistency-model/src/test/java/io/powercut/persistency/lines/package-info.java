@NullMarked
package io.powercut.persistency.lines;

import org.jspecify.annotations.NullMarked;
