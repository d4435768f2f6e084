// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.powercut.junit;

import org.jspecify.annotations.NullMarked;
