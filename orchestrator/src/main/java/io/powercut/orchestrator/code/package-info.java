// SPDX-License-Identifier: Apache-2.0
/** What the target's code says: names in its binaries and sources, and where it takes locks. */
@NullMarked
package io.powercut.orchestrator.code;

import org.jspecify.annotations.NullMarked;
