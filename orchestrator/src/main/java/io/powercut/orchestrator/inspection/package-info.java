/** What a program that is to be tested tells of itself, and a first campaign for it. */
@NullMarked
package io.powercut.orchestrator.inspection;

import org.jspecify.annotations.NullMarked;
