// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.powercut.campaign.dataraces;

import org.jspecify.annotations.NullMarked;
