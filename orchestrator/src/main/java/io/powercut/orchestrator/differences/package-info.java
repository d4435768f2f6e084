// SPDX-License-Identifier: Apache-2.0
/** What images have that those before them had not, and lack that later ones have. */
@NullMarked
package io.powercut.orchestrator.differences;

import org.jspecify.annotations.NullMarked;
