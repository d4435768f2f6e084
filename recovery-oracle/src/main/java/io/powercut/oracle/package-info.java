@NullMarked
package io.powercut.oracle;

import org.jspecify.annotations.NullMarked;
