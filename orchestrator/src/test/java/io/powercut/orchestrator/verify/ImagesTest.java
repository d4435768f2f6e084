// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.image.CrashImage;
import io.powercut.image.files.Difference;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.orchestrator.session.Progress;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images of both ways of injection, compared, and where a difference comes from. */
class ImagesTest {
  private static final CallStack STACK = CallStack.of(Frame.of("app", 7, "put", "app.c", 7));

  @TempDir private Path folder;
  private ProgramByHand program;
  private CrashImage image;
  private Optional<Optional<Difference>> oneExecution = Optional.empty();

  private final OtherExecutions executions =
      new OtherExecutions() {
        @Override
        public Path newDirectory() throws IOException {
          return Files.createTempDirectory(folder, "beside");
        }

        @Override
        public Optional<Optional<Difference>> compareOneExecution(
            FailurePointTree tree, FailurePointId id) {
          return oneExecution;
        }
      };

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
    program.store(1, 0, 0, 1);
    image = program.state().image();
  }

  @AfterEach
  void close() throws IOException {
    image.close();
    program.close();
  }

  private Path stopped(String text) throws IOException {
    Path pm = Files.createTempDirectory(folder, "stopped");
    image.writeTo(pm);
    byte[] pool = Files.readAllBytes(pm.resolve(ProgramByHand.FILE));
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, pool, 512, bytes.length);
    Files.write(pm.resolve(ProgramByHand.FILE), pool);
    return pm;
  }

  private LeafDifference explain(ReExecutedImages images, Optional<Path> keep) {
    FailurePointTree tree =
        new FailurePointTree("app", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    tree.reach(STACK, Instruction.CLWB, 1);
    return new Explanation(executions, Progress.SILENT, keep).explain(tree, images).orElseThrow();
  }

  @Test
  void equalImagesShouldHaveNoDifference() throws IOException {
    ReExecutedImages images = new ReExecutedImages(executions, Map.of(STACK.id(), image));
    images.stopped(STACK.id(), stopped(""));
    images.stopped(new FailurePointId(9), folder.resolve("nowhere"));

    assertThat(images.compared()).containsOnly(Map.entry(STACK.id(), Optional.empty()));
    assertThat(images.kept(STACK.id())).isEmpty();
    assertThat(images.failure(STACK.id())).isEmpty();
    assertThat(new ImageComparison(executions).compare(image, stopped("x"))).isPresent();
  }

  @Test
  void differenceShouldBeThePathOfTheExecutionIfThatIsWhatIsThere() throws IOException {
    ReExecutedImages images = new ReExecutedImages(executions, Map.of(STACK.id(), image));
    Path pm = stopped("");
    Path withPath = stopped(pm.toString());
    Files.copy(
        withPath.resolve(ProgramByHand.FILE),
        pm.resolve(ProgramByHand.FILE),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    images.stopped(STACK.id(), pm);

    assertThat(images.kept(STACK.id()).orElseThrow().original()).isEqualTo(pm);
    assertThat(explain(images, Optional.of(folder.resolve("kept"))).holdsPath()).isTrue();
    assertThat(folder.resolve("kept/re-executed").resolve(ProgramByHand.FILE)).exists();
    assertThat(folder.resolve("kept/recorded").resolve(ProgramByHand.FILE)).exists();
  }

  @Test
  void causeShouldBeWhatOneExecutionBothWaysShows() throws IOException {
    ReExecutedImages images = new ReExecutedImages(executions, Map.of(STACK.id(), image));
    images.stopped(STACK.id(), stopped("other"));

    LeafDifference unknown = explain(images, Optional.empty());
    assertThat(unknown.cause()).isEqualTo(Cause.UNKNOWN);
    assertThat(unknown.holdsPath()).isFalse();
    oneExecution = Optional.of(Optional.empty());
    assertThat(explain(images, Optional.empty()).cause()).isEqualTo(Cause.TARGET);
    oneExecution = Optional.of(Optional.of(unknown.difference()));
    assertThat(explain(images, Optional.empty()).cause()).isEqualTo(Cause.POWERCUT);
  }
}
