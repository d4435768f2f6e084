// SPDX-License-Identifier: Apache-2.0
/** What happened last before the power is cut. */
@NullMarked
package io.powercut.orchestrator.timeline;

import org.jspecify.annotations.NullMarked;
