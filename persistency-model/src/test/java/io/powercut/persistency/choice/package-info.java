@NullMarked
package io.powercut.persistency.choice;

import org.jspecify.annotations.NullMarked;
