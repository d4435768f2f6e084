// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.events;

import io.powercut.api.Event;
import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.engine.EventLog;
import io.powercut.orchestrator.session.Progress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much a command says while it works, and whether to a person or to a program. */
public final class EventArguments extends OutputArguments {
  @Option(
      names = "--json",
      description =
          "Prints events as lines of JSON instead of the summary, for other programs"
              + " (docs/events.md), and no progress.")
  private boolean json;

  private @Nullable EventLog log;

  /** The events on standard output; nothing if they are not wanted. */
  public synchronized Optional<EventLog> events() {
    if (json && log == null) {
      log = new EventLog(EventArguments::print);
    }
    return Optional.ofNullable(log);
  }

  private static void print(Event event) {
    System.out.println(event.toLine());
    System.out.flush();
  }

  @Override
  public Progress progress() {
    return events().map(Progress.class::cast).orElseGet(super::progress);
  }
}
