@NullMarked
package io.powercut.persistency.scratch;

import org.jspecify.annotations.NullMarked;
