package io.powercut.orchestrator.run;

import io.powercut.image.CrashImage;
import io.powercut.instrumentation.trace.Location;
import io.powercut.orchestrator.results.Visit;
import io.powercut.orchestrator.states.Candidate;
import io.powercut.persistency.states.CrashStates;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A visit of a failure point with all that can be judged there.
 *
 * @param visit where the power is cut
 * @param image of program order
 * @param acknowledged what the target had told
 * @param states what else may be left
 * @param candidates those of them that are to be judged
 */
record Moment(
    Visit visit,
    CrashImage image,
    Optional<Acknowledgement> acknowledged,
    CrashStates states,
    List<Candidate> candidates)
    implements AutoCloseable {
  Moment {
    candidates = List.copyOf(candidates);
  }

  @Override
  public void close() {
    image.close();
  }

  /** The path below the PM directory that a location's file has now; later it may be renamed. */
  String pathOf(long location) {
    return image.nameOf(Location.file(location)).map(Path::toString).orElse("");
  }
}
