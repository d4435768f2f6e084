@NullMarked
package io.powercut.persistency.states;

import org.jspecify.annotations.NullMarked;
