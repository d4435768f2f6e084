/** Traces of programs with a flush, a fence or an order changed, and what that makes possible. */
@NullMarked
package io.powercut.persistency.changes;

import org.jspecify.annotations.NullMarked;
