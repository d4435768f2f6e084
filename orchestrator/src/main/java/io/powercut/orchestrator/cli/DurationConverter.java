// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.binding.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration as campaign files write it; zero is none. */
final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    return DurationText.parse(text)
        .filter(duration -> !duration.isZero())
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'" + text + "' is not a duration; " + DurationText.HINT));
  }
}
