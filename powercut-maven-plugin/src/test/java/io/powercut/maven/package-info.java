// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.powercut.maven;

import org.jspecify.annotations.NullMarked;
