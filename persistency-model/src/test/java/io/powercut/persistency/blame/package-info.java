@NullMarked
package io.powercut.persistency.blame;

import org.jspecify.annotations.NullMarked;
