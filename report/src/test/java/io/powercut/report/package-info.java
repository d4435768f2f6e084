@NullMarked
package io.powercut.report;

import org.jspecify.annotations.NullMarked;
