@NullMarked
package io.powercut.campaign;

import org.jspecify.annotations.NullMarked;
