/** Bytes kept outside the heap. */
@NullMarked
package io.powercut.persistency.scratch;

import org.jspecify.annotations.NullMarked;
