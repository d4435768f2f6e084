// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.powercut.api;

import org.jspecify.annotations.NullMarked;
