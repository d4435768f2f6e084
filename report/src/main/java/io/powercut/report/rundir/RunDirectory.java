// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignException;
import io.powercut.campaign.input.InputFile;
import io.powercut.campaign.input.UnusableInputException;
import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.process.DataSize;
import io.powercut.report.evidence.CutPlace;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.facts.Untested;
import io.powercut.report.format.Json;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.TreeFile;
import io.powercut.tree.TreeFileException;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The folder that holds all a run leaves behind: {@code powercut-runs/CAMPAIGN/TIMESTAMP/}, with a
 * link {@code latest} beside it.
 *
 * <p>Layout: {@code campaign.yaml} (resolved), {@code tree.jsonl}, {@code verdicts.jsonl}, {@code
 * states.jsonl} and {@code recovery-crashes.jsonl} (as they come), {@code images/ID/} (of findings
 * only), {@code output/} (of commands), {@code report.json}.
 */
public record RunDirectory(Path path) {
  /** Where runs are kept unless the command line names another folder. */
  public static final String DEFAULT_ROOT = "powercut-runs";

  /** Much more than any run writes, and less than the heap. */
  private static final DataSize LARGEST_FILE = DataSize.ofMebibytes(64);

  private static final DataSize LARGEST_TREE = DataSize.ofGibibytes(4);

  /** What to do with a run that was killed. */
  private static final String CONTINUE =
      "Run it again, with --resume; a part of powercut judge, judge again into another folder.";

  /** Files of which a part cannot be read. */
  private static final String WHOLE = ".json";

  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd_HH-mm-ss");

  /**
   * Makes the directory of a new run and points {@code latest} at it.
   *
   * @param root folder of all runs, made when it is missing
   * @param campaign name of the campaign
   * @param now names the new directory; a number is added when there is one of that second
   */
  public static RunDirectory create(Path root, String campaign, LocalDateTime now) {
    Path runs = root.resolve(campaign).toAbsolutePath().normalize();
    try {
      Files.createDirectories(runs);
      Path fresh = freshDirectory(runs, TIMESTAMP.format(now));
      Path link = runs.resolve(".latest-" + fresh.getFileName());
      try {
        Files.createDirectory(fresh.resolve("output"));
        pointLatestAt(runs, fresh, link);
      } catch (IOException e) {
        // There is no run then, and nothing of it.
        Files.deleteIfExists(link);
        Files.deleteIfExists(fresh.resolve("output"));
        Files.deleteIfExists(fresh);
        throw e;
      }
      return new RunDirectory(fresh);
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(
          "cannot make a run directory below %s: %s. Choose another with --runs DIR."
              .formatted(runs, FileProblem.of(e).textBeside(runs)));
    }
  }

  /**
   * The directory of an earlier run.
   *
   * @param run its path, or the path of {@code CAMPAIGN} or {@code latest}
   * @throws PowercutException if there is no run
   */
  public static RunDirectory open(Path run) {
    Path candidate = run.toAbsolutePath().normalize();
    if (!Files.exists(candidate.resolve("campaign.yaml"))
        && Files.isDirectory(candidate.resolve("latest"))) {
      candidate = candidate.resolve("latest");
    }
    if (!Files.exists(candidate.resolve("campaign.yaml"))) {
      throw PowercutException.usage(
          "no run in %s%s: name a folder such as powercut-runs/CAMPAIGN/latest, which holds campaign.yaml."
              .formatted(run, why(candidate)));
    }
    try {
      return new RunDirectory(candidate.toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Why nothing can be in it, where that is known. */
  private static String why(Path folder) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      return entries.iterator().hasNext() && Files.exists(folder.resolve("run.json"))
          ? " (its campaign.yaml is missing)"
          : "";
    } catch (IOException e) {
      return " (%s)".formatted(FileProblem.of(e).textBeside(folder));
    }
  }

  private static Path freshDirectory(Path runs, String name) throws IOException {
    int attempt = 1;
    while (true) {
      try {
        return Files.createDirectory(runs.resolve(attempt == 1 ? name : name + "-" + attempt));
      } catch (FileAlreadyExistsException takenByAnother) {
        attempt++;
      }
    }
  }

  private static void pointLatestAt(Path runs, Path fresh, Path temporary) throws IOException {
    Path link = runs.resolve("latest");
    Files.createSymbolicLink(temporary, fresh.getFileName());
    Files.move(
        temporary, link, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The resolved campaign's file. */
  public Path campaignFile() {
    return path.resolve("campaign.yaml");
  }

  /**
   * The campaign as it was run.
   *
   * @throws CampaignException if its file was damaged
   */
  public Campaign campaign() {
    return CampaignLoader.load(campaignFile());
  }

  /** The failure-point tree. */
  public Path treeFile() {
    return path.resolve("tree.jsonl");
  }

  /**
   * Reads the failure-point tree.
   *
   * @throws PowercutException if the run has none yet, or its file was damaged
   */
  public FailurePointTree tree() {
    if (!Files.exists(treeFile())) {
      throw PowercutException.notTrustworthy(
          treeFile() + " does not exist: the run ended before it had a tree. " + CONTINUE);
    }
    try {
      InputFile.require(treeFile(), LARGEST_TREE);
      return TreeFile.read(treeFile());
    } catch (TreeFileException e) {
      throw PowercutException.notTrustworthy(e.getMessage());
    } catch (UnusableInputException e) {
      throw damaged(treeFile(), e.line(), e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The verdicts, one line each, in the order in which they came. */
  public Path verdictsFile() {
    return path.resolve("verdicts.jsonl");
  }

  /**
   * The outcome of crash states beyond program order, one line an occurrence: a {@link StateLog}.
   */
  public Path statesFile() {
    return path.resolve("states.jsonl");
  }

  /** The outcome of crashes during recovery, one line an image: a {@link RecoveryCrashLog}. */
  public Path recoveryCrashFile() {
    Path former = path.resolve("second.jsonl");
    return Files.exists(former) ? former : path.resolve("recovery-crashes.jsonl");
  }

  /**
   * What the run knows of itself.
   *
   * @throws PowercutException if the run has not said it yet, or its file was damaged
   */
  public RunFacts facts() {
    RunFacts facts =
        read(factsFile(), RunFacts.class)
            .orElseThrow(
                () ->
                    PowercutException.notTrustworthy(
                        factsFile() + " does not exist: the run did not finish. " + CONTINUE));
    try {
      OffsetDateTime unused = OffsetDateTime.parse(facts.started());
      return facts;
    } catch (DateTimeException e) {
      throw damaged(factsFile(), 0, "started is not a time: " + e.getMessage());
    }
  }

  /** Where {@link #facts} are kept. */
  public Path factsFile() {
    return path.resolve("run.json");
  }

  /** The patterns found in the trace; nothing when they were not looked for to its end. */
  public Optional<PatternLog> patterns() {
    return read(patternsFile(), PatternLog.class);
  }

  /** Where {@link #patterns} are kept. */
  public Path patternsFile() {
    return path.resolve("patterns.json");
  }

  /** The races found in the trace; nothing when it was not searched, or had one thread. */
  public Optional<RaceLog> races() {
    return read(racesFile(), RaceLog.class);
  }

  /** Where {@link #races} are kept. */
  public Path racesFile() {
    return path.resolve("races.json");
  }

  /** The data races of the target; nothing when they were not looked for. */
  public Optional<DataRaceLog> dataRaces() {
    return read(dataRacesFile(), DataRaceLog.class);
  }

  /** Where {@link #dataRaces} are kept. */
  public Path dataRacesFile() {
    return path.resolve("data-races.json");
  }

  /** What the images of findings have that those before them had not. */
  public ChangeLog changes() {
    return read(changesFile(), ChangeLog.class).orElse(ChangeLog.NONE);
  }

  /** Where they are kept: a {@link ChangeLog}. */
  public Path changesFile() {
    return path.resolve("changes.json");
  }

  /** Where in the user's code the failure points of findings are. */
  public CodeLog code() {
    return read(codeFile(), CodeLog.class).orElse(new CodeLog(Map.of()));
  }

  /** Where they are kept: a {@link CodeLog}. */
  public Path codeFile() {
    return path.resolve("code.json");
  }

  /** What set-up gave; nothing if it was not run to its end, and in older runs. */
  public Optional<SetUpLog> setUp() {
    return read(setUpFile(), SetUpLog.class);
  }

  /** Where it is kept. */
  public Path setUpFile() {
    return path.resolve("setup.json");
  }

  /** What a clean result says nothing about; nothing when that was not looked for. */
  public Optional<Untested> untested() {
    return read(untestedFile(), Untested.class);
  }

  /** Where it is kept. */
  public Path untestedFile() {
    return path.resolve("untested.json");
  }

  private static <T> Optional<T> read(Path file, Class<T> type) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      InputFile.require(file, LARGEST_FILE);
      return Optional.of(Json.read(file, type));
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
      throw damaged(file, line, Json.problem(e));
    } catch (UnusableInputException e) {
      throw damaged(file, e.line(), e.getMessage());
    } catch (CharConversionException e) {
      throw damaged(file, 0, "is not text in UTF-8");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PowercutException damaged(Path file, int line, @Nullable String how) {
    return PowercutException.notTrustworthy(
        "%s was damaged: %s. Restore it from a backup, or run the campaign again without --resume."
            .formatted(line == 0 ? file : file + ":" + line, how));
  }

  /**
   * Reads all that a run continues from, so that unreadable files are reported before anything
   * runs.
   *
   * @throws PowercutException if a file was damaged
   */
  public void requireReadable() {
    if (Files.exists(treeFile())) {
      tree();
    }
    VerdictLog.open(verdictsFile());
    StateLog.open(statesFile());
    RecoveryCrashLog.open(recoveryCrashFile());
    if (Files.exists(factsFile())) {
      facts();
    }
    patterns();
    changes();
    code();
    setUp();
    untested();
  }

  /** Keeps for later commands why the run could not be trusted. */
  public void setFailure(String reason) {
    try {
      Files.writeString(failureFile(), reason + "\n");
    } catch (IOException e) {
      // On a full disk there is no room to say that it is full. The process that runs it is named.
    }
  }

  /** Forgets why an earlier part of the run could not be trusted. */
  public void clearFailure() {
    try {
      Files.deleteIfExists(failureFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path failureFile() {
    return path.resolve("failure.txt");
  }

  /**
   * Refuses a run that ended with exit code 3: what it found before is worth nothing.
   *
   * @throws PowercutException if it is one
   */
  public void requireTrustworthy() {
    if (Files.exists(failureFile())) {
      throw PowercutException.notTrustworthy(
          "the run in %s has no report, since it could not be trusted: %s"
              .formatted(path, failure()));
    }
  }

  /** The sizes in bytes of the files in which results are kept, by name. */
  public Map<String, Long> files() {
    Map<String, Long> sizes = new TreeMap<>();
    for (Path file :
        List.of(
            campaignFile(),
            treeFile(),
            verdictsFile(),
            statesFile(),
            recoveryCrashFile(),
            patternsFile(),
            racesFile(),
            dataRacesFile(),
            changesFile(),
            codeFile(),
            untestedFile())) {
      size(file).ifPresent(size -> sizes.put(String.valueOf(file.getFileName()), size));
    }
    return sizes;
  }

  private static Optional<Long> size(Path file) {
    try {
      return Optional.of(Files.size(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Says which files of a run that had ended are missing or have lost their end. What a log has
   * more was added by a later part of the run.
   */
  public Optional<String> lacks() {
    Optional<Map<String, Long>> before =
        Files.exists(factsFile()) ? facts().files() : Optional.empty(); // A run may just begin.
    List<String> lacking = new ArrayList<>();
    before
        .orElse(Map.of())
        .forEach(
            (name, size) -> {
              Optional<Long> now = size(path.resolve(name));
              if (now.isEmpty()) {
                lacking.add(name + " is missing");
              } else if (!name.endsWith(WHOLE)
                  && Files.isRegularFile(path.resolve(name)) // Who reads it says what else it is.
                  && now.get() < size) {
                lacking.add("%s has only %,d of its %,d bytes".formatted(name, now.get(), size));
              }
            });
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of("in %s, %s".formatted(path, String.join(", and ", lacking)));
  }

  /**
   * Refuses a run of which something is missing: it would seem to have found less.
   *
   * @throws PowercutException if it is one
   */
  public void requireWhole() {
    lacks()
        .ifPresent(
            files -> {
              throw PowercutException.notTrustworthy(
                  files
                      + ". Restore it from a backup, or judge again what is missing: powercut run with --resume.");
            });
  }

  private String failure() {
    try {
      String text = InputFile.text(failureFile(), LARGEST_FILE).strip();
      return text.isEmpty()
          ? "why is not known, since there was no room for it on the file system of " + path
          : text;
    } catch (IOException e) {
      return "why is not known, since %s cannot be read: %s"
          .formatted(failureFile(), FileProblem.of(failureFile(), e).reason());
    }
  }

  /** The report for a person: a page for a browser. */
  public Path reportFile() {
    return path.resolve("report.html");
  }

  /** Where the output of commands goes. */
  public Path outputDirectory() {
    return path.resolve("output");
  }

  /** In which order the threads of the recorded run ran, by process. */
  public Path scheduleDirectory() {
    return path.resolve("schedule");
  }

  /**
   * In which order they ran where a writer was held.
   *
   * @param order the number of that order, from 1
   */
  public Path scheduleDirectory(int order) {
    return scheduleDirectory().resolve("held-" + order);
  }

  /** The recorded run, when it is kept. */
  public Path traceFile() {
    return path.resolve("trace.zst");
  }

  /** Where the images of findings are kept, each in its own directory. */
  public Path imagesDirectory() {
    return path.resolve("images");
  }

  /** Where the image of the finding at a failure point is kept. */
  public Path imageDirectory(Occurrence occurrence) {
    String number = occurrence.number() > 1 ? "-" + occurrence.number() : "";
    String order = occurrence.order() > 0 ? "-order-" + occurrence.order() : "";
    return imagesDirectory().resolve(occurrence.id() + number + order);
  }

  /**
   * Where the image of a state beyond program order is kept.
   *
   * @param state its 16 hexadecimal digits
   */
  public Path imageDirectory(Occurrence occurrence, String state) {
    Path plain = imageDirectory(occurrence);
    return plain.resolveSibling(plain.getFileName() + "-state-" + state);
  }

  /**
   * Where the image of a crash during recovery is kept.
   *
   * @param second the failure point of recovery
   */
  public Path secondImageDirectory(Occurrence occurrence, CutPlace second) {
    Path plain = imageDirectory(occurrence);
    return plain.resolveSibling(plain.getFileName() + "-second-" + second);
  }
}
