// SPDX-License-Identifier: Apache-2.0
/** The keys about data races. */
@NullMarked
package io.powercut.campaign.dataraces;

import org.jspecify.annotations.NullMarked;
