@NullMarked
package io.powercut.report.html;

import org.jspecify.annotations.NullMarked;
