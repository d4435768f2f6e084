// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import io.powercut.campaign.process.ClientSection;
import io.powercut.campaign.process.PossibleServer;
import io.powercut.campaign.process.ReadySection;
import io.powercut.campaign.process.StopSection;
import io.powercut.campaign.sections.RecoveryStep;
import io.powercut.campaign.sections.SetupSection;
import io.powercut.campaign.sections.TargetSection;
import io.powercut.campaign.template.Placeholder;
import io.powercut.campaign.template.TextTemplate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a campaign names {@code {acknowledged}}, itself or by a parameter. */
final class AcknowledgedUse {
  private static final String KEY = Placeholder.ACKNOWLEDGED.key();

  private final Map<String, TextTemplate> parameters;

  AcknowledgedUse(Map<String, TextTemplate> parameters) {
    this.parameters = parameters;
  }

  /** Whether a command of one of the steps does, or what belongs to it as a server. */
  boolean isIn(List<RecoveryStep> recovery) {
    return recovery.stream().anyMatch(this::isIn);
  }

  /** Whether a string does that is not recovery's, before there is anything acknowledged. */
  boolean isIn(TargetSection target, Optional<SetupSection> setup) {
    return isIn(target) || setup.map(this::isIn).orElse(false);
  }

  private boolean isIn(PossibleServer section) {
    return isIn(section.command().arguments())
        || isIn(section.ready(), section.client(), section.stop());
  }

  private boolean isIn(
      Optional<ReadySection> ready, Optional<ClientSection> client, Optional<StopSection> stop) {
    List<TextTemplate> texts = new ArrayList<>();
    ready.ifPresent(
        section ->
            Stream.of(section.tcp(), section.unix(), section.file())
                .flatMap(Optional::stream)
                .forEach(texts::add));
    client.ifPresent(section -> texts.addAll(section.command().arguments()));
    stop.flatMap(StopSection::command).ifPresent(command -> texts.addAll(command.arguments()));
    return isIn(texts);
  }

  /** Whether one of the strings does. */
  boolean isIn(Collection<TextTemplate> texts) {
    return texts.stream().flatMap(text -> text.placeholders().stream()).anyMatch(this::names);
  }

  private boolean names(String placeholder) {
    return placeholder.equals(KEY)
        || Optional.ofNullable(parameters.get(placeholder))
            .map(value -> value.placeholders().contains(KEY))
            .orElse(false);
  }
}
