// SPDX-License-Identifier: Apache-2.0
/** The races that were found, for whoever reports them or tries to confirm them. */
@NullMarked
package io.powercut.races.found;

import org.jspecify.annotations.NullMarked;
