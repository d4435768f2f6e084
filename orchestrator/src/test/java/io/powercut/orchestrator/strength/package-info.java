/** Tests of the strength of oracles. */
@org.jspecify.annotations.NullMarked
package io.powercut.orchestrator.strength;
