/**
 * Work that other machines do: units, each a command of Powercut with the files it needs, and the
 * plan of them. What starts them there is a program of its own, reached by a socket.
 */
@NullMarked
package io.powercut.orchestrator.distribution;

import org.jspecify.annotations.NullMarked;
