// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.powercut.orchestrator.code;

import org.jspecify.annotations.NullMarked;
