import io.powercut.analysis.PatternResult;
import io.powercut.analysis.TracePatterns;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import java.nio.file.Path;

/**
 * Reads a trace, or reads and analyses it: {@code AnalysisBenchmark read|analyse TRACE}. Whoever
 * starts it measures it; the difference is what the analysis costs.
 */
public final class AnalysisBenchmark {
  private AnalysisBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    TraceReader reader = TraceReader.of(Path.of(arguments[1]));
    TraceTables tables = new TraceTables();
    if (arguments[0].equals("read")) {
      System.out.println(reader.read(tables, new TraceConsumer() {}) + " records");
      return;
    }
    CacheLineTracker tracker = CacheLineTracker.withoutContents(PersistencyDomain.ADR);
    TracePatterns patterns =
        TracePatterns.observing(tracker, tables, ExcludedFunctions.NONE, true);
    long records = reader.read(tables, patterns, tracker);
    PatternResult result = patterns.result();
    System.out.println(records + " records, " + result.reports().size() + " reports");
  }
}
