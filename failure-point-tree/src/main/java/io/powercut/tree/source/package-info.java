@NullMarked
package io.powercut.tree.source;

import org.jspecify.annotations.NullMarked;
