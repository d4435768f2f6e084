// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.doctor;

/**
 * One thing looked at on this machine.
 *
 * @param subject what was looked at
 * @param status how it is
 * @param detail what was seen
 * @param remedy what to do about it; empty when all is well
 */
public record Check(String subject, Status status, String detail, String remedy) {
  /** How a checked thing is. */
  public enum Status {
    /** As it should be. */
    OK,
    /** Powercut works, with the restriction named. */
    WARNING,
    /** Powercut does not work before this is fixed. */
    FAILURE
  }

  static Check ok(String subject, String detail) {
    return new Check(subject, Status.OK, detail, "");
  }

  static Check warning(String subject, String detail, String remedy) {
    return new Check(subject, Status.WARNING, detail, remedy);
  }

  static Check failure(String subject, String detail, String remedy) {
    return new Check(subject, Status.FAILURE, detail, remedy);
  }
}
