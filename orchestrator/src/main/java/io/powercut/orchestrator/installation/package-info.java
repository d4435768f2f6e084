// SPDX-License-Identifier: Apache-2.0
/** What differs where Powercut was installed from a package: nothing is written there. */
@NullMarked
package io.powercut.orchestrator.installation;

import org.jspecify.annotations.NullMarked;
