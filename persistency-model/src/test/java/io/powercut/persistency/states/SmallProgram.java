// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.PersistencyDomain;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A small program on one PM file.
 *
 * @param initial what the file holds at the start; its size is never larger
 */
record SmallProgram(PersistencyDomain domain, ByteBuffer initial, List<Step> steps) {}
