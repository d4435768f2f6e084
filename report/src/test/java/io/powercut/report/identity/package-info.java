@NullMarked
package io.powercut.report.identity;

import org.jspecify.annotations.NullMarked;
