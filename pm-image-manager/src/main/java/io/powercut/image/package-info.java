@NullMarked
package io.powercut.image;

import org.jspecify.annotations.NullMarked;
