/** Which crash states are judged where there are too many. */
@NullMarked
package io.powercut.persistency.choice;

import org.jspecify.annotations.NullMarked;
