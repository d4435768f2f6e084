// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.powercut.campaign.sections;

import org.jspecify.annotations.NullMarked;
