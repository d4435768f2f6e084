// SPDX-License-Identifier: Apache-2.0
/** Crash tests for JUnit 5: {@link io.powercut.junit.CrashTest}. */
@NullMarked
package io.powercut.junit;

import org.jspecify.annotations.NullMarked;
