// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.powercut.campaign.dataraces.RaceBackend;
import io.powercut.campaign.dataraces.RaceDetector;
import io.powercut.exit.PowercutException;
import io.powercut.process.PowercutHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.zeroturnaround.exec.ProcessExecutor;

@Tag("programs")
class ProgramRacesTest {
  private static final String RACY =
      """
      #include <pthread.h>
      #include <stdlib.h>
      pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
      long *block;
      static void *add(void *which) {
        if (which != NULL)
          pthread_mutex_lock(&lock);
        block[1]++; // line 8
        if (which != NULL)
          pthread_mutex_unlock(&lock);
        return NULL;
      }
      int main(void) {
        pthread_t thread;
        block = calloc(4, sizeof *block); // line 15
        pthread_create(&thread, NULL, add, &lock); // line 16
        add(NULL); // line 17
        pthread_join(thread, NULL);
        return 0;
      }
      """;

  /** The second time, the section has the key of the object and does not use it. */
  private static final String SUSPECT =
      """
      #include <pthread.h>
      #include <unistd.h>
      pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
      long value;
      int turn;
      static int now(void) {
        return __atomic_load_n(&turn, __ATOMIC_RELAXED);
      }
      static void *other(void *unused) {
        while (now() != 1)
          usleep(100);
        value = 1; // line 12
        __atomic_store_n(&turn, 2, __ATOMIC_RELAXED);
        return unused;
      }
      int main(void) {
        pthread_t thread;
        pthread_create(&thread, NULL, other, NULL);
        for (int i = 0; i < 2; i++) {
          pthread_mutex_lock(&lock); // line 20
          if (i == 0)
            value = 2; // line 22
          __atomic_store_n(&turn, i, __ATOMIC_RELAXED);
          while (i == 1 && now() != 2)
            usleep(100);
          pthread_mutex_unlock(&lock);
        }
        pthread_join(thread, NULL);
        return 0;
      }
      """;

  @TempDir private Path directory;

  @Test
  void shouldShowBothAccessesWithTheirLocksAndTheBlock() throws Exception {
    Path program = compile(RACY);

    DataRaceResult result = runs(program, 3);

    assertThat(result.found()).hasSize(1);
    assertThat(result.found().get(0).runs()).isEqualTo(3);
    String text = String.join("\n", DataRaceText.of(result)).replace(directory.toString(), "");
    assertThat(text)
        .startsWith("data races  1 in 3 runs\n\nRACE         byte 8 of a block of 32 bytes")
        .contains(", in 3 of 3 runs\n  allocated\n    main at /racy.c:15\n")
        .contains(
            "write of 8 bytes by thread 0, without a lock\n    add at /racy.c:8\n    main at /racy.c:17\n")
        .contains("write of 8 bytes by thread 1, with global lock\n    add at /racy.c:8\n")
        .contains("  thread 1 created\n    main at /racy.c:16");
  }

  @Test
  void kardShouldTellWhatItSuspectsFromWhatItSaw() throws Exception {
    Path program = compile(SUSPECT);

    DataRaceResult result = runs(program, RaceDetector.KARD, 1);

    assertThat(result.found()).isEmpty();
    assertThat(String.join("\n", DataRaceText.of(result)).replace(directory.toString(), ""))
        .startsWith("data races  0 in one run\n\nUNCONFIRMED  global value\n")
        .contains(
            "  holder     thread 0, in a section that uses this to write, with global lock\n",
            "    main at /racy.c:20\n")
        .contains("  access     write of 8 bytes by thread 1, without a lock\n")
        .contains("    other at /racy.c:12\n");
    assertThat(runs(program, RaceDetector.BOTH, 1).found())
        .singleElement()
        .satisfies(found -> assertThat(found.detectors()).containsExactly("hmtrace"));
  }

  /**
   * Two threads run through one section, each with a block; one comes back, and the other one uses
   * its block.
   */
  private static final String BLOCKS_OF_THEIR_OWN =
      """
      #include <pthread.h>
      #include <stdlib.h>
      #include <unistd.h>
      pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
      volatile long *blocks[2];
      static void *work(void *argument) {
        long me = (long)argument;
        volatile long *block = me == 0 ? blocks[FIRST] : blocks[1];
        for (int round = 0; round < 2; round++) {
          usleep(me == 0 ? 100000 : 0);
          pthread_mutex_lock(&locks[me]);
          if (round == 0)
            block[1]++;
          else
            usleep(400000);
          pthread_mutex_unlock(&locks[me]);
          if (me == 1) {
            usleep(400000);
            block[1]++;
            return NULL;
          }
        }
        return NULL;
      }
      int main(void) {
        pthread_t threads[2];
        for (long i = 0; i < 2; i++)
          blocks[i] = calloc(2, sizeof **blocks);
        for (long i = 0; i < 2; i++)
          pthread_create(&threads[i], NULL, work, (void *)i);
        for (int i = 0; i < 2; i++)
          pthread_join(threads[i], NULL);
        return 0;
      }
      """;

  @Test
  void kardShouldNotSuspectABlockThatTheHolderNeverUsed() throws Exception {
    Path own = compile(BLOCKS_OF_THEIR_OWN.replace("FIRST", "0"));
    assertThat(runs(own, RaceDetector.KARD, 1).suspected()).isEmpty();
    Path shared = compile(BLOCKS_OF_THEIR_OWN.replace("FIRST", "1"));
    assertThat(runs(shared, RaceDetector.KARD, 1).suspected()).hasSize(1);
  }

  @Test
  void shouldFindNothingInACorrectProgram() throws Exception {
    Path program = compile(RACY.replace("which != NULL", "1"));

    assertThat(DataRaceText.of(runs(program, 2))).containsExactly("data races  0 in 2 runs");
  }

  @Test
  void shouldReportWhatACrashedProgramHadFound() throws Exception {
    Path program = compile(RACY.replace("  return 0;", "  abort();"));

    DataRaceResult result = runs(program, 1);

    assertThat(result.found()).hasSize(1);
    assertThat(result.failures()).singleElement().asString().contains("SIGABRT");
  }

  @Test
  void shouldShowWhereTheProgramBeganARegionOfOpenMp() throws Exception {
    Path program =
        compile(
            """
            int total;
            int main(void) {
            #pragma omp parallel num_threads(2)
              total++; // line 4
              return 0;
            }
            """,
            "-fopenmp");

    DataRaceResult result = runs(program, 1);

    assertThat(result.found()).hasSize(1);
    assertThat(String.join("\n", DataRaceText.of(result)).replace(directory.toString(), ""))
        .contains("global total", "main._omp_fn.0 at /racy.c:4")
        .contains("  thread 1 created\n    main at /racy.c:");
  }

  @Test
  void pureShouldNotKnowWhatABarrierOrders() throws Exception {
    Path program =
        compile(
            """
            #include <pthread.h>
            pthread_barrier_t barrier;
            int value;
            static void *other(void *unused) {
              value = 1;
              pthread_barrier_wait(&barrier);
              return unused;
            }
            int main(void) {
              pthread_t thread;
              pthread_barrier_init(&barrier, NULL, 2);
              value = 2;
              pthread_create(&thread, NULL, other, NULL);
              pthread_barrier_wait(&barrier);
              value = 3;
              pthread_join(thread, NULL);
              return value != 3;
            }
            """);

    assertThat(runs(program, 1).found()).isEmpty();
    assertThat(
            runs(program, new DataRaceDetection(RaceDetector.HMTRACE, RaceBackend.AUTO, true), 1)
                .found())
        .hasSize(1);
  }

  /** The section is much shorter than it takes to create a thread. */
  @Test
  void pausesShouldBringThreadsTogetherThatDoNotMeetByThemselves() throws Exception {
    Path program =
        compile(
            """
            #include <pthread.h>
            pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
            int value;
            static void *locked(void *unused) {
              for (int i = 0; i < 20; i++) {
                pthread_mutex_lock(&lock);
                value++; // line 7
                pthread_mutex_unlock(&lock);
              }
              return unused;
            }
            static void *bare(void *unused) {
              for (int i = 0; i < 20; i++)
                value++; // line 14
              return unused;
            }
            int main(void) {
              pthread_t threads[2];
              pthread_create(&threads[0], NULL, locked, NULL);
              pthread_create(&threads[1], NULL, bare, NULL);
              pthread_join(threads[0], NULL);
              pthread_join(threads[1], NULL);
              return 0;
            }
            """);

    assertThat(runs(program, RaceDetector.KARD, 20).found()).hasSize(1);
  }

  @Test
  void recordedShouldSuspectAProgramThatWasNotCompiledForIt() throws Exception {
    String source =
        """
        #include <pthread.h>
        #include <stdlib.h>
        pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        long *block;
        static void *add(void *unused) {
          for (int i = 0; i < 3; i++) {
            pthread_mutex_lock(&lock); // line 7
            block[1]++; // line 8
            pthread_mutex_unlock(&lock);
          }
          return unused;
        }
        static void *idle(void *unused) {
          return unused;
        }
        static void *bare(void *unused) {
          block[1]++; // line 17
          return unused;
        }
        int main(void) {
          pthread_t threads[3];
          pthread_create(&threads[0], NULL, idle, NULL);
          block = calloc(4, sizeof *block); // line 23
          pthread_create(&threads[1], NULL, add, NULL);
          pthread_create(&threads[2], NULL, BARE, NULL);
          for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
          return 0;
        }
        """;
    Path racy = compile("gcc", source.replace("BARE", "bare"), "-pthread");

    DataRaceResult result = recorded(racy);

    assertThat(result.found()).isEmpty();
    assertThat(result.failures()).isEmpty();
    assertThat(result.limits()).singleElement().asString().contains("nothing is confirmed");
    assertThat(String.join("\n", DataRaceText.of(result)).replace(directory.toString(), ""))
        .contains(
            "UNCONFIRMED  byte 8 of a block of 32 bytes",
            "  allocated\n    main at /racy.c:23\n",
            "    add at /racy.c:8\n",
            "    bare at /racy.c:17\n",
            "with global lock");
    Path correct = compile("gcc", source.replace("BARE", "add"), "-pthread");
    assertThat(recorded(correct).suspected()).isEmpty();
  }

  /** A counter that is changed atomically, and a plain variable beside it. */
  private static final String BESIDE_A_COUNTER =
      """
      #include <pthread.h>
      #include <unistd.h>
      static struct { _Alignas(16) int plain; int counter; } both;
      static void *work(void *unused) {
        both.plain = 1; // line 5
        COUNT;
        return unused;
      }
      int main(void) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        usleep(300000);
        __atomic_fetch_add(&both.counter, 1, __ATOMIC_RELAXED);
        both.plain = 2; // line 14
        pthread_join(thread, NULL);
        return 0;
      }
      """;

  @Test
  void recordedShouldTellAVariableFromAnAtomicCounterBesideIt() throws Exception {
    Path program = compile("gcc", BESIDE_A_COUNTER.replace("COUNT", ""), "-pthread");

    assertThat(String.join("\n", DataRaceText.of(recorded(program))))
        .contains("racy.c:5\n", "racy.c:14\n");
  }

  @Test
  void recordedLockedInstructionsShouldOrderThreadsUnlessTheyAreRelaxed() throws Exception {
    String count = "__atomic_fetch_add(&both.counter, 1, __ATOMIC_RELAXED)";
    Path program = compile("gcc", BESIDE_A_COUNTER.replace("COUNT", count), "-pthread");

    assertThat(racesOfRecording(program, "0")).isZero();
    assertThat(racesOfRecording(program, "1")).isEqualTo(1);
  }

  /** Two threads change a global variable in short critical sections. */
  private static final String SHORT_SECTIONS =
      """
      #include <pthread.h>
      static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
      long shared;
      static void *work(void *lock) {
        for (int i = 0; i < 20; i++) {
          pthread_mutex_lock(lock);
          shared++; // line 7
          pthread_mutex_unlock(lock);
        }
        return NULL;
      }
      int main(void) {
        pthread_t threads[2];
        pthread_create(&threads[0], NULL, work, &one);
        pthread_create(&threads[1], NULL, work, &SECOND);
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
        return 0;
      }
      """;

  @Test
  void recordedSectionsShouldOverlapForKard() throws Exception {
    Path racy = compile("gcc", SHORT_SECTIONS.replace("SECOND", "other"), "-pthread");

    assertThat(
            String.join("\n", DataRaceText.of(runs(racy, RaceDetector.KARD, RaceBackend.RECORDER))))
        .contains("UNCONFIRMED", "shared", "racy.c:7\n", "with global one", "with global other");
    Path correct = compile("gcc", SHORT_SECTIONS.replace("SECOND", "one"), "-pthread");
    assertThat(runs(correct, RaceDetector.KARD, RaceBackend.RECORDER).suspected()).isEmpty();
  }

  private long racesOfRecording(Path program, String relaxed) throws Exception {
    Path report = directory.resolve("relaxed" + relaxed);
    Path script = Path.of("../race-runtime/recorded").toAbsolutePath().normalize();
    ProcessBuilder command = new ProcessBuilder(script.toString(), "--", program.toString());
    command.environment().put("POWERCUT_RACES", report.toString());
    command.environment().put("POWERCUT_RACE_RELAXED", relaxed);
    assertThat(command.inheritIO().start().waitFor()).isZero();
    try (Stream<String> lines = Files.lines(report)) {
      return lines.filter(line -> line.contains("\"line\":\"race\"")).count();
    }
  }

  private static DataRaceResult recorded(Path program) {
    return runs(program, RaceDetector.HMTRACE, RaceBackend.RECORDER);
  }

  @Test
  void shouldRefuseAProgramThatWasNotCompiledForIt() {
    assertThatThrownBy(() -> runs(Path.of("/bin/true"), 1))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("compile it with \"powercut cc\"");
  }

  @Test
  void shouldSayWhyThereIsNoHardware() throws Exception {
    Path program = compile(RACY);

    assertThatThrownBy(() -> runs(program, RaceDetector.HMTRACE, RaceBackend.MTE))
        .isInstanceOf(PowercutException.class)
        .hasMessageContainingAll("backend mte: ", "AArch64", "remedy: ");
    assumeFalse(Files.readString(Path.of("/proc/cpuinfo")).contains(" pku"), "it has keys");
    assertThatThrownBy(() -> runs(program, RaceDetector.KARD, RaceBackend.MPK))
        .isInstanceOf(PowercutException.class)
        .hasMessageContainingAll("backend mpk: ", "pku", "remedy: ");
  }

  @Test
  void shouldRunAProgramOfAnotherProcessorWithItsMemoryTagging() throws Exception {
    assumeTrue(Files.exists(Path.of("/usr/bin/qemu-aarch64")), "apt-get install qemu-user");
    String compiler = "aarch64-linux-gnu-gcc";
    assumeTrue(Files.exists(Path.of("/usr/bin", compiler)), "apt-get install gcc-" + compiler);
    Path program = compileForAnother(RACY, compiler);

    DataRaceResult result = runs(program, RaceDetector.HMTRACE, RaceBackend.MTE);

    assertThat(result.failures()).isEmpty();
    assertThat(String.join("\n", DataRaceText.of(result)).replace(directory.toString(), ""))
        .contains("byte 8 of a block of 32 bytes", "main at /racy.c:15", "add at /racy.c:8");
  }

  private static DataRaceResult runs(Path program, int runs) {
    return runs(program, RaceDetector.HMTRACE, runs);
  }

  private static DataRaceResult runs(Path program, RaceDetector detector, RaceBackend backend) {
    return runs(program, new DataRaceDetection(detector, backend, false), 1);
  }

  private static DataRaceResult runs(Path program, RaceDetector detector, int runs) {
    return runs(program, new DataRaceDetection(detector, RaceBackend.AUTO, false), runs);
  }

  private static DataRaceResult runs(Path program, DataRaceDetection detection, int runs) {
    return new ProgramRaces(List.of(program.toString()), detection, runs, Duration.ofMinutes(1))
        .find();
  }

  private Path compile(String source) throws Exception {
    return compile(source, "-pthread");
  }

  private Path compile(String source, String option) throws Exception {
    String compiler = PowercutHome.find().resolve("race-runtime/powercut-cc").toString();
    return compile(compiler, source, option);
  }

  private Path compile(String compiler, String source, String option) throws Exception {
    Path file = Files.writeString(directory.resolve("racy.c"), source);
    Path program = directory.resolve("racy");
    new ProcessExecutor(compiler, "-g", option, file.toString(), "-o", program.toString())
        .exitValueNormal()
        .execute();
    return program;
  }

  private Path compileForAnother(String source, String compiler) throws Exception {
    Path file = Files.writeString(directory.resolve("racy.c"), source);
    Path program = directory.resolve("racy");
    String wrapper = PowercutHome.find().resolve("race-runtime/powercut-cc").toString();
    new ProcessExecutor(wrapper, "-pthread", file.toString(), "-o", program.toString())
        .environment("POWERCUT_CC", compiler)
        .exitValueNormal()
        .execute();
    return program;
  }
}
