// SPDX-License-Identifier: Apache-2.0
/** Tests of what is written of a sweep. */
@NullMarked
package io.powercut.report.sweep;

import org.jspecify.annotations.NullMarked;
