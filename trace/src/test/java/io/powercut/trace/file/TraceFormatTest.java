// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.PowercutHome;
import io.powercut.process.TestPrograms;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFormatTest {
  @TempDir private Path folder;

  @Test
  void shouldHaveTheNumbersOfTheRecorder() throws IOException, IllegalAccessException {
    Map<String, String> expressions = expressions();
    StringBuilder program = new StringBuilder();
    program.append("#include <stddef.h>\n#include <stdio.h>\n#include \"powercut_trace.h\"\n");
    program.append("int main(void) {\n");
    expressions.forEach(
        (name, expression) ->
            program.append("printf(\"%s %%ld\\n\", (long)(%s));\n".formatted(name, expression)));
    program.append("return 0; }\n");
    Path binary =
        TestPrograms.compile(
            folder,
            "numbers.c",
            program.toString(),
            "-I" + PowercutHome.find().resolve("recorder/native"));

    assertThat(ourNumbers()).isEqualTo(lines(TestPrograms.output(binary.toString())));
  }

  @Test
  void shouldHaveTheNamesOfTheRecorder() throws IOException {
    String program =
        """
        #include <stdio.h>
        #include "powercut_trace.h"
        int main(void) {
          printf("%s %s %s %s ", POWERCUT_CONTROL_MAGIC, POWERCUT_CHUNK_MAGIC, POWERCUT_LEAVES_MAGIC, POWERCUT_CONTROL_NAME);
          printf(POWERCUT_CHUNK_NAME "\\n", 123ULL);
          return 0;
        }
        """;
    Path binary =
        TestPrograms.compile(
            folder, "names.c", program, "-I" + PowercutHome.find().resolve("recorder/native"));

    assertThat(TestPrograms.output(binary.toString()))
        .isEqualTo(
            String.join(
                    " ",
                    TraceFormat.CONTROL_MAGIC,
                    TraceFormat.CHUNK_MAGIC,
                    TraceFormat.LEAVES_MAGIC,
                    TraceFormat.CONTROL_NAME,
                    TraceFormat.chunkName(123))
                + "\n");
  }

  private static Map<String, String> expressions() throws IOException {
    try (InputStream numbers =
        requireNonNull(TraceFormatTest.class.getResourceAsStream("numbers.txt"))) {
      return lines(new String(numbers.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Map<String, String> lines(String text) {
    Map<String, String> result = new LinkedHashMap<>();
    text.lines()
        .forEach(
            line -> {
              int space = line.indexOf(' ');
              result.put(line.substring(0, space), line.substring(space + 1));
            });
    return result;
  }

  private static Map<String, String> ourNumbers() throws IllegalAccessException {
    Map<String, String> result = new TreeMap<>();
    for (Field field : TraceFormat.class.getDeclaredFields()) {
      if (field.getType() == int.class) {
        result.put(field.getName(), Integer.toString(field.getInt(null)));
      }
    }
    return result;
  }
}
