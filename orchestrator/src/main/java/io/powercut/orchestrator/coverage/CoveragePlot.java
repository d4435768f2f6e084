// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.coverage;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Coverage as a plot: one panel for each granularity, which are an order of magnitude apart, over
 * the logarithm of the workload's size (Mumak, figure 3).
 */
public final class CoveragePlot {
  private static final String TEXT_TERMINAL =
      "set terminal dumb size 78,17 noenhanced nofeed mono\n";
  private static final String SVG_TERMINAL =
      "set terminal svg size 1000,400 dynamic noenhanced font 'sans-serif,13' background 'white'\n";

  /** Room beside the points, as a factor on the logarithmic axis. */
  private static final double MARGIN = 1.5;

  /** A panel. */
  private record Panel(String granularity, String colour, ToIntFunction<CoveragePoint> count) {}

  private static final List<Panel> PANELS =
      List.of(
          new Panel("persistency", "#1f5fa8", CoveragePoint::persistency),
          new Panel("store", "#b5522b", CoveragePoint::store));

  private final Gnuplot gnuplot;
  private final String title;
  private final List<CoveragePoint> points;

  /**
   * @param gnuplot draws
   * @param title of the plot: what was measured
   * @param points at least one, by size
   */
  public CoveragePlot(Gnuplot gnuplot, String title, List<CoveragePoint> points) {
    this.gnuplot = gnuplot;
    this.title = title;
    this.points = List.copyOf(points);
  }

  /** For a terminal, 78 columns wide. */
  public String text() {
    return PANELS.stream()
        .map(panel -> gnuplot.draw(TEXT_TERMINAL + axes() + plot(panel, "pt 'o'")))
        .map(CoveragePlot::withoutMargin)
        .collect(joining("\n"));
  }

  /** As an SVG document. */
  public String svg() {
    return gnuplot.draw(
        SVG_TERMINAL
            + "set multiplot layout 1,2 title "
            + quoted(title)
            + "\n"
            + "set grid ytics lc rgb '#dddddd'\n"
            + axes()
            + PANELS.stream()
                .map(panel -> plot(panel, "pt 7 lw 2 lc rgb " + quoted(panel.colour())))
                .collect(joining())
            + "unset multiplot\n");
  }

  private String axes() {
    String labels =
        points.stream()
            .map(point -> quoted(point.size().label()) + " " + point.size().operations())
            .collect(joining(", "));
    double smallest = points.get(0).size().operations();
    double largest = points.get(points.size() - 1).size().operations();
    return "set logscale x\nset xrange ["
        + smallest / MARGIN
        + ":"
        + largest * MARGIN
        + "]\nset xtics nomirror ("
        + labels
        + ")\nset ytics nomirror\nset border 3\nset xlabel 'operations'\nset yrange [0:*]\n"
        + "set offsets 0, 0, graph 0.05, 0\nunset key\n";
  }

  private String plot(Panel panel, String style) {
    String data =
        points.stream()
            .map(point -> point.size().operations() + " " + panel.count().applyAsInt(point) + "\n")
            .collect(joining());
    return "set title "
        + quoted("unique failure points, granularity " + panel.granularity())
        + "\nplot '-' with linespoints "
        + style
        + "\n"
        + data
        + "e\n";
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''").replace("\n", " ") + "'";
  }

  private static String withoutMargin(String drawing) {
    return drawing
            .lines()
            .map(String::stripTrailing)
            .dropWhile(String::isEmpty)
            .collect(joining("\n"))
        + "\n";
  }
}
