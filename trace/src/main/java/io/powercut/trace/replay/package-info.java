/**
 * What a trace is replayed into: files, failure points, tables of modules and stacks, a dump for
 * people.
 */
@NullMarked
package io.powercut.trace.replay;

import org.jspecify.annotations.NullMarked;
