// SPDX-License-Identifier: Apache-2.0
/**
 * Tries what a power cut leaves that undoes changes of names and sizes which the target had
 * acknowledged, and finds the change to blame.
 */
@NullMarked
package io.powercut.orchestrator.metadata;

import org.jspecify.annotations.NullMarked;
