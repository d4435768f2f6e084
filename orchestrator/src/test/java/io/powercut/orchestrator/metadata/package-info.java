// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.powercut.orchestrator.metadata;

import org.jspecify.annotations.NullMarked;
