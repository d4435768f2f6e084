// SPDX-License-Identifier: Apache-2.0
/** The Maven goal {@code powercut:run}: {@link io.powercut.maven.RunMojo}. */
@NullMarked
package io.powercut.maven;

import org.jspecify.annotations.NullMarked;
