// SPDX-License-Identifier: Apache-2.0
package io.powercut.api;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.util.Optional;

/** Events as lines of JSON. What later versions add is skipped. */
final class EventLines {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          // A text that an earlier version did not write.
          .defaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY))
          .build();

  private EventLines() {}

  static String write(Event event) {
    try {
      return MAPPER.writeValueAsString(event);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an event has texts and numbers alone", e);
    }
  }

  /** Nothing for a line that is none: what a command of the campaign printed, perhaps. */
  static Optional<Event> read(String line) {
    try {
      return Optional.ofNullable(MAPPER.readValue(line, Event.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
