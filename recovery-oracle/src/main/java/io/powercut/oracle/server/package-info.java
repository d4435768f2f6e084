/**
 * Runs programs that serve others: waits until they are ready, runs a client against them, and
 * stops them.
 */
@NullMarked
package io.powercut.oracle.server;

import org.jspecify.annotations.NullMarked;
