// SPDX-License-Identifier: Apache-2.0
/** Persistency-induced races of a campaign's target, without any injection. */
@NullMarked
package io.powercut.orchestrator.races;

import org.jspecify.annotations.NullMarked;
