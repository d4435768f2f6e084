// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.powercut.orchestrator.timeline}. */
@NullMarked
package io.powercut.orchestrator.timeline;

import org.jspecify.annotations.NullMarked;
