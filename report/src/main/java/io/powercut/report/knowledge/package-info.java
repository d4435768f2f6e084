/** What libraries do on purpose: patterns of theirs that are known, and why they are intended. */
@NullMarked
package io.powercut.report.knowledge;

import org.jspecify.annotations.NullMarked;
