// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Benchmarks are compiled when they are run, which is seldom. They have to fit the code all the
 * time.
 */
class BenchmarksTest {
  /** What is written for Apache Spark, which is not here. */
  private static final Path FOR_SPARK = Path.of("scale", "Jobs.java");

  private static List<Path> sources() throws IOException {
    Path benchmarks = PowercutHome.find().resolve("benchmarks");
    try (Stream<Path> files = Files.walk(benchmarks)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.equals(benchmarks.resolve(FOR_SPARK)))
          .toList();
    }
  }

  @Test
  void benchmarksShouldCompile(@TempDir Path classes) throws IOException {
    List<Path> sources = sources();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter mistakes = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      compiler
          .getTask(
              mistakes,
              files,
              null,
              List.of("-proc:none", "-d", classes.toString()),
              null,
              files.getJavaFileObjectsFromPaths(sources))
          .call();
    }

    assertThat(sources).hasSizeGreaterThanOrEqualTo(3);
    assertThat(mistakes).hasToString("");
  }
}
