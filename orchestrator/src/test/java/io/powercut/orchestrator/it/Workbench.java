// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignException;
import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.orchestrator.cli.PowercutCommand;
import io.powercut.orchestrator.run.CampaignRun;
import io.powercut.orchestrator.session.Progress;
import io.powercut.process.PowercutHome;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.Report;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.TreeFile;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A place to run Powercut in: a directory for campaigns and runs, and one on tmpfs for PM files,
 * which nobody else uses, so that what is left behind there was left by the test.
 *
 * <p>A test class has it in a field with {@code @RegisterExtension}: a static one is for all its
 * tests, another one for each. Files and processes that are left make a test fail: each test, or
 * the class where tests run beside one another.
 */
public final class Workbench
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  /**
   * What most tests are about shows at first occurrences. A test that is about others says so, by
   * {@code occurrences=null} for those that Powercut chooses.
   */
  private static final String FIRST_OCCURRENCES = "occurrences.first=1";

  private static final Path TMPFS = Path.of("/dev/shm");

  private static final Set<String> MADE = ConcurrentHashMap.newKeySet();

  private final List<String> workloads;
  private final Path directory;
  private final Path pm;
  private boolean isShared;

  private Workbench(List<String> workloads, Path directory, Path pm) {
    this.workloads = workloads;
    this.directory = directory;
    this.pm = pm;
  }

  /**
   * A new, empty workbench.
   *
   * @param workloads folders below {@code workloads} that are built for it
   */
  public static Workbench with(String... workloads) {
    try {
      return new Workbench(
          List.of(workloads),
          Files.createTempDirectory("workbench-"),
          Files.createTempDirectory(TMPFS, "workbench-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    isShared = true;
    workloads.forEach(Workbench::make);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    workloads.forEach(Workbench::make);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    // Others of the class may still run; a shared one looks at the end what is left.
    if (!isShared) {
      close();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  /** Builds the workloads of a folder below {@code workloads}, unless this JVM has. */
  public static void make(String folder) {
    if (!MADE.add(folder)) {
      return;
    }
    String path = home().resolve("workloads/" + folder).toString();
    // Test classes run beside one another in JVMs of their own.
    execute("flock", path + "/Makefile", "make", "-s", "-j2", "-C", path);
  }

  private static void execute(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " failed: " + said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Compiles a C program of the tests' resources.
   *
   * @return the program, in this workbench's directory
   */
  public Path compile(String source) {
    return compile(source, "", List.of("-O1"));
  }

  /**
   * Compiles a C program of the tests' resources.
   *
   * @param suffix of the program's name
   * @return the program, in this workbench's directory
   */
  public Path compile(String source, String suffix, List<String> options) {
    String name = Path.of(source).getFileName().toString().replaceFirst("\\.cc?$", suffix);
    Path program = directory.resolve(name);
    boolean isC = source.endsWith(".c");
    List<String> command = new ArrayList<>();
    command.add(isC ? "cc" : "c++");
    command.add(isC ? "-std=gnu11" : "-std=c++17");
    command.addAll(List.of("-g", "-Wall", "-Wextra", "-Werror"));
    command.addAll(options);
    command.addAll(List.of("-o", program.toString()));
    command.add(home().resolve("orchestrator/src/test/resources").resolve(source).toString());
    execute(command.toArray(String[]::new));
    return program;
  }

  /** The project's root. */
  public static Path home() {
    return PowercutHome.find();
  }

  /** For campaigns and whatever else a test needs. */
  public Path directory() {
    return directory;
  }

  /** Where all runs are kept. */
  public Path runs() {
    return directory.resolve("runs");
  }

  /** Below which executions get their PM directories. */
  public Path pm() {
    return pm;
  }

  /** Writes a file into the workbench's directory. */
  public Path write(String name, String text) {
    try {
      return Files.writeString(directory.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a campaign whose PM files will be in this workbench. */
  public Campaign load(Path file, List<String> overrides) {
    List<String> all = new ArrayList<>();
    if (overrides.stream().noneMatch(override -> override.startsWith("occurrences"))) {
      all.add(FIRST_OCCURRENCES);
    }
    all.addAll(overrides);
    all.add("pm.directory=" + pm);
    try {
      return CampaignLoader.load(file, all);
    } catch (CampaignException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * What a run came to.
   *
   * @param report as in report.json
   * @param tree as stored
   * @param judgements the verdicts, one each failure point
   * @param directory all that it left
   */
  public record Outcome(
      Report report,
      FailurePointTree tree,
      Collection<Judgement> judgements,
      RunDirectory directory) {}

  /** Fails with what was not judged, and why, unless a run judged everything. */
  public static void requireComplete(Report report) {
    assertThat(report.inconclusive()).as("%s", report.outcome()).isEmpty();
    assertThat(report.outcome().complete()).as("%s", report.outcome()).isTrue();
  }

  /** Runs a campaign to its end in this JVM. */
  public Outcome run(Campaign campaign, Path file) {
    RunDirectory directory =
        RunDirectory.create(runs(), campaign.name(), LocalDateTime.now(ZoneId.systemDefault()));
    Report report =
        new CampaignRun(campaign, file, directory, Optional.empty(), Progress.SILENT).run();
    return new Outcome(report, tree(directory.path()), judgements(directory.path()), directory);
  }

  /** The tree in a run directory. */
  public static FailurePointTree tree(Path run) {
    try {
      return TreeFile.read(run.resolve("tree.jsonl"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The verdicts in a run directory, one each failure point. */
  public static Collection<Judgement> judgements(Path run) {
    return VerdictLog.open(run.resolve("verdicts.jsonl")).all();
  }

  /** The report in a run directory. */
  public static Report report(Path run) {
    try {
      return Json.parse(Files.readString(run.resolve("report.json")), Report.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What a command line gave.
   *
   * @param exitCode of powercut
   * @param output what it printed to standard output
   * @param errors what it printed to standard error
   */
  public record Said(int exitCode, String output, String errors) {}

  /** Runs one command line in this JVM; not for use by two threads at a time. */
  public static Said powercut(String... arguments) {
    PrintStream output = System.out;
    PrintStream errors = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ByteArrayOutputStream complained = new ByteArrayOutputStream();
    try (PrintStream newOutput = new PrintStream(printed, true, StandardCharsets.UTF_8);
        PrintStream newErrors = new PrintStream(complained, true, StandardCharsets.UTF_8)) {
      System.setOut(newOutput);
      System.setErr(newErrors);
      int exitCode = PowercutCommand.execute(arguments);
      return new Said(
          exitCode,
          printed.toString(StandardCharsets.UTF_8),
          complained.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(output);
      System.setErr(errors);
    }
  }

  /** {@code powercut run} of a campaign, with runs and PM files in this workbench. */
  public Said runCampaign(Path campaign, String... more) {
    return powercut(runArguments(campaign, more).toArray(String[]::new));
  }

  private List<String> runArguments(Path campaign, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                campaign.toString(),
                "--runs",
                runs().toString(),
                "--set",
                "pm.directory=" + pm,
                "--set",
                FIRST_OCCURRENCES));
    arguments.addAll(List.of(more));
    return arguments;
  }

  /**
   * Starts {@code powercut run} in a JVM of its own, which a test may kill. Its output goes to
   * {@code output} and {@code errors} in this workbench's directory.
   */
  public Process startCampaign(Path campaign, String... more) {
    return start(
        command(runArguments(campaign, more).toArray(String[]::new)), ProcessBuilder.Redirect.PIPE);
  }

  /** The same in a JVM with a heap of so many MiB. */
  public Process startCampaign(int heap, Path campaign, String... more) {
    List<String> command = command(runArguments(campaign, more).toArray(String[]::new));
    command.add(command.indexOf("-cp"), "-Xmx" + heap + "m"); // The last one counts.
    return start(command, ProcessBuilder.Redirect.PIPE);
  }

  /** Starts a command line in a JVM of its own, which a test may kill; the rest as above. */
  public Process startPowercut(String... arguments) {
    return start(command(arguments), ProcessBuilder.Redirect.PIPE);
  }

  /** Runs a command line in a JVM of its own that reads its standard input from a file. */
  public Said powercutReading(Path input, String... arguments) {
    return said(start(command(arguments), ProcessBuilder.Redirect.from(input.toFile())));
  }

  /**
   * Runs powercut on a terminal of its own.
   *
   * @param dialogue what is waited for, a bar, and what is then typed
   */
  public Said powercutAtTerminal(List<String> dialogue, String... arguments) {
    Path lines = write("dialogue", String.join("\n", dialogue) + "\n");
    Path terminal = home().resolve("orchestrator/src/test/resources/programs/terminal.py");
    List<String> command =
        new ArrayList<>(List.of("python3", terminal.toString(), lines.toString()));
    command.addAll(command(arguments));
    return said(start(command, ProcessBuilder.Redirect.from(new File("/dev/null"))));
  }

  /** Waits for the end of a JVM of its own. */
  public Said said(Process process) {
    try {
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IllegalStateException("powercut did not end; it said: " + errors());
      }
      return new Said(process.exitValue(), Files.readString(directory.resolve("output")), errors());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private String errors() throws IOException {
    return Files.readString(directory.resolve("errors"));
  }

  private static List<String> command(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env", // a shell that puts us in the background lets us ignore Ctrl-C
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "@" + home().resolve("packaging/java-options"),
                "-Dpowercut.home=" + home(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.powercut.orchestrator.Main"));
    command.addAll(List.of(arguments));
    return command;
  }

  private Process start(List<String> command, ProcessBuilder.Redirect input) {
    try {
      return new ProcessBuilder(command)
          .redirectInput(input)
          .redirectOutput(directory.resolve("output").toFile())
          .redirectError(directory.resolve("errors").toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files of executions that are still there; the areas of running campaigns among them. */
  public List<Path> filesLeft() {
    try (Stream<Path> files = Files.list(pm)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Processes that run with PM files of this workbench on their command line or environment. */
  public List<String> processesLeft() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process -> mentions(process, "cmdline") || mentions(process, "environ"))
        .map(process -> process.pid() + " " + process.info().commandLine().orElse(""))
        .toList();
  }

  private boolean mentions(ProcessHandle process, String file) {
    try {
      return Files.readString(
              Path.of("/proc", Long.toString(process.pid()), file), StandardCharsets.ISO_8859_1)
          .contains(pm.toString());
    } catch (IOException gone) {
      return false;
    }
  }

  private void requireNothingLeft() {
    assertThat(filesLeft()).isEmpty();
    assertThat(processesLeft()).isEmpty();
  }

  private void close() {
    try {
      requireNothingLeft();
    } finally {
      delete(directory);
      delete(pm);
    }
  }

  private static void delete(Path path) {
    try {
      PathUtils.deleteDirectory(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
