/**
 * Runs the units of a sweep on an Apache Spark cluster. {@code Sweep} is the driver: it starts
 * {@code powercut sweep} beside it, which plans units and tells of them through a socket ({@code
 * UnitServer}). A unit is one task, which starts {@code powercut} on its executor ({@code
 * UnitTask}).
 */
@NullMarked
package io.powercut.spark;

import org.jspecify.annotations.NullMarked;
