// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.powercut.orchestrator.dataraces;

import org.jspecify.annotations.NullMarked;
