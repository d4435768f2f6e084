// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.process;

import io.powercut.campaign.template.CommandTemplate;
import java.util.Optional;

/** A command of the campaign that runs to its end or, with {@code ready}, is a server. */
public interface PossibleServer {
  /** The program and its arguments. */
  CommandTemplate command();

  /** When it can be used; it is a server if there is such a moment. */
  Optional<ReadySection> ready();

  /** What is run against it then. */
  Optional<ClientSection> client();

  /** How it is ended after that, if the campaign says so. */
  Optional<StopSection> stop();

  /** True if it continues until it is stopped. */
  default boolean isServer() {
    return ready().isPresent();
  }

  /** How it is stopped, said or not. */
  default StopAction stopAction() {
    return stop().map(StopSection::action).orElse(StopSection.DEFAULT_ACTION);
  }
}
