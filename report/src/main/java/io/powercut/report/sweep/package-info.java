// SPDX-License-Identifier: Apache-2.0
/** What a sweep came to: its totals, and one file for all its campaigns in each form. */
@NullMarked
package io.powercut.report.sweep;

import org.jspecify.annotations.NullMarked;
