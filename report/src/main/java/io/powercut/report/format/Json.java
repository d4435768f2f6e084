// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.format;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.powercut.campaign.input.FileFailure;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** JSON as Powercut writes it: one mapper, files replaced as a whole or not at all. */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(FailurePointIds.module())
          // Nothing that we write is null, so a null is damage, and is reported where it is read.
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
          .build();

  /** How Jackson says that a record has no value for one of its names. */
  private static final Pattern MISSING =
      Pattern.compile("Null value for creator property '([^']+)'");

  private Json() {}

  /** A value on one line. */
  public static String line(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is wrong with a text that could not be read. */
  public static String problem(JsonProcessingException failure) {
    String said = String.valueOf(failure.getOriginalMessage());
    if (said.startsWith("No content to map")) {
      return "it is empty";
    }
    Matcher missing = MISSING.matcher(said);
    if (missing.lookingAt()) {
      return missing.group(1) + " is missing";
    }
    return said.startsWith("Unexpected end-of-input") ? "its end is missing" : said;
  }

  /**
   * A value read from one line.
   *
   * @throws JsonProcessingException if the text is not such a value; null is none
   */
  public static <T> T parse(String text, Class<T> type) throws JsonProcessingException {
    T value = MAPPER.readValue(text, type);
    if (value == null) {
      throw MismatchedInputException.from(null, type, "it is null");
    }
    return value;
  }

  /**
   * The value that a file holds. The file may be large: it is not held as a text.
   *
   * @throws JsonProcessingException if it holds no such value; null is none
   * @throws CharConversionException if it is not text in UTF-8 at all
   */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    try (InputStream stream = Files.newInputStream(file)) {
      T value = MAPPER.readValue(stream, type);
      if (value == null) {
        throw MismatchedInputException.from(null, type, "it is null");
      }
      return value;
    }
  }

  /** A value that is an object, as its fields. */
  public static ObjectNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** Writes a value, indented. */
  public static void write(Object value, Writer out) throws IOException {
    MAPPER
        .writer()
        .with(SerializationFeature.INDENT_OUTPUT)
        .without(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .writeValue(out, value);
  }

  /** Writes a value to a file, so that a reader sees the old file or the whole new one. */
  public static void write(Path file, Object value) {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    try {
      MAPPER
          .writer()
          .with(SerializationFeature.INDENT_OUTPUT)
          .writeValue(temporary.toFile(), value);
      Files.move(
          temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(FileFailure.at(file, e));
    } finally {
      removeQuietly(temporary);
    }
  }

  /** Half of a file, after a failure; else it has another name by now. */
  private static void removeQuietly(Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      // The failure that left it is reported.
    }
  }
}
