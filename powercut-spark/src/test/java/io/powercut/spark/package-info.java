@NullMarked
package io.powercut.spark;

import org.jspecify.annotations.NullMarked;
