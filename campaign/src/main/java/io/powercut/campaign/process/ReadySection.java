// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.process;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.template.Regex;
import io.powercut.campaign.template.TextTemplate;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** When a server can be used: exactly one of four conditions. */
public record ReadySection(
    @Key(
            value = "The server accepts connections at this host and port.",
            example = "\"127.0.0.1:{port}\"")
        Optional<TextTemplate> tcp,
    @Key(
            value = "The server accepts connections at this Unix socket.",
            example = "\"{run}/socket\"")
        Optional<TextTemplate> unix,
    @Key(value = "This file exists.", example = "\"{run}/up\"") Optional<TextTemplate> file,
    @Key(value = "This regular expression matches its output.", example = "\"^Ready to accept\"")
        Optional<Regex> log,
    @Key(
            value =
                "Time limit for becoming ready. The target is instrumented, and therefore slower.",
            defaultValue = "30s",
            min = "10ms",
            max = "1d")
        Duration timeout) {

  public ReadySection {
    requireNonNull(timeout, "timeout is null");
    long conditions = Stream.of(tcp, unix, file, log).filter(Optional::isPresent).count();
    if (conditions != 1) {
      throw new IllegalArgumentException(
          (conditions == 0 ? "has no condition" : "has " + conditions + " conditions")
              + "; write exactly one of tcp, unix, file, log (null removes an inherited one)");
    }
    tcp.filter(address -> !address.text().contains(":")).ifPresent(ReadySection::refuse);
  }

  /** The condition. */
  public ReadyCondition condition() {
    return Stream.of(
            tcp.map(ReadyCondition.Tcp::new),
            unix.map(ReadyCondition.UnixSocket::new),
            file.map(ReadyCondition.FileExists::new),
            log.map(ReadyCondition.LogLine::new))
        .flatMap(Optional::stream)
        .map(ReadyCondition.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static void refuse(TextTemplate address) {
    throw new IllegalArgumentException(
        "has a tcp '" + address + "' without a port; write for example \"127.0.0.1:{port}\"");
  }
}
