// SPDX-License-Identifier: Apache-2.0
/** Data races in any memory, of programs that {@code powercut cc} compiled. */
@NullMarked
package io.powercut.orchestrator.dataraces;

import org.jspecify.annotations.NullMarked;
