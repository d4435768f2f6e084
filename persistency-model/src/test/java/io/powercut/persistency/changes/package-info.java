@NullMarked
package io.powercut.persistency.changes;

import org.jspecify.annotations.NullMarked;
