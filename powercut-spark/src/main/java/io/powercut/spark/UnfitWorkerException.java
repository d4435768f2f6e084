// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.io.IOException;

/** A machine lacks what Powercut needs. It says nothing of the program under test. */
final class UnfitWorkerException extends IOException {
  private static final long serialVersionUID = 1;

  UnfitWorkerException(String host, String what) {
    super("the machine " + host + " cannot run Powercut: " + what);
  }
}
