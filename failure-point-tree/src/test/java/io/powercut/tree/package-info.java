@NullMarked
package io.powercut.tree;

import org.jspecify.annotations.NullMarked;
