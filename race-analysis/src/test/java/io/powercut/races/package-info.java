@NullMarked
package io.powercut.races;

import org.jspecify.annotations.NullMarked;
