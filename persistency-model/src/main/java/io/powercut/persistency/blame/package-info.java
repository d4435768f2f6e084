/** The smallest reason why recovery fails on a crash state. */
@NullMarked
package io.powercut.persistency.blame;

import org.jspecify.annotations.NullMarked;
