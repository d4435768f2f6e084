/** Text for people and JSON for programs: numbers, names and escapes, the same in all output. */
@NullMarked
package io.powercut.report.format;

import org.jspecify.annotations.NullMarked;
