// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.format;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.powercut.tree.FailurePointId;
import java.io.IOException;

/** Failure points in JSON: 16 hexadecimal digits, as a value and as a key. */
final class FailurePointIds {
  private FailurePointIds() {}

  static SimpleModule module() {
    return new SimpleModule()
        .addSerializer(FailurePointId.class, new Writer(false))
        .addKeySerializer(FailurePointId.class, new Writer(true))
        .addDeserializer(FailurePointId.class, new Reader())
        .addKeyDeserializer(FailurePointId.class, new KeyReader());
  }

  private static final class Writer extends JsonSerializer<FailurePointId> {
    private final boolean isKey;

    Writer(boolean isKey) {
      this.isKey = isKey;
    }

    @Override
    public void serialize(FailurePointId id, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (isKey) {
        out.writeFieldName(id.toString());
      } else {
        out.writeString(id.toString());
      }
    }
  }

  private static final class Reader extends JsonDeserializer<FailurePointId> {
    @Override
    public FailurePointId deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      return read(in, StringDeserializer.instance.deserialize(in, context));
    }
  }

  private static final class KeyReader extends KeyDeserializer {
    @Override
    public Object deserializeKey(String key, DeserializationContext context) throws IOException {
      return read(context.getParser(), key);
    }
  }

  private static FailurePointId read(JsonParser in, String text) throws JsonMappingException {
    try {
      return FailurePointId.parse(text);
    } catch (IllegalArgumentException e) {
      throw JsonMappingException.from(in, e.getMessage(), e);
    }
  }
}
