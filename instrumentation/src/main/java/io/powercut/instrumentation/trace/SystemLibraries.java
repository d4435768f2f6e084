package io.powercut.instrumentation.trace;

import java.util.regex.Pattern;

/** Where a distribution puts its libraries. */
final class SystemLibraries {
  static final Pattern PATH = Pattern.compile("/(usr/)?lib(32|64|x32)?/.*");

  private SystemLibraries() {}
}
