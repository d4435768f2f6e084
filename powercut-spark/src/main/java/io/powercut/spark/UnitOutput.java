// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.io.Serializable;

/**
 * What a unit left on its executor, as it is sent to the driver.
 *
 * @param exitCode of powercut
 * @param host where it ran
 * @param text the last of what it printed as an error
 * @param archive of its folder {@code {out}}
 * @param milliseconds that powercut took
 */
@SuppressWarnings("ArrayRecordComponent") // sent once, and compared with nothing
record UnitOutput(int exitCode, String host, String text, byte[] archive, long milliseconds)
    implements Serializable {}
