/** What makes a finding the same one in another run: the code to fix, and what is wrong with it. */
@NullMarked
package io.powercut.report.identity;

import org.jspecify.annotations.NullMarked;
