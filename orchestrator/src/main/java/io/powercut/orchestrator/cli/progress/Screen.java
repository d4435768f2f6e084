// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.exit.ExitCode;
import io.powercut.report.format.Text;
import java.io.PrintStream;
import java.util.List;
import java.util.function.IntSupplier;
import picocli.CommandLine.Help.Ansi;

/**
 * Where lines for a person go. On a terminal they have colours and are no wider than it is;
 * elsewhere they are as they are.
 */
public final class Screen {
  private static final List<String> TITLES = List.of("BUG", "RACE", "PERFORMANCE", "WARNING");
  private static final String RESULT = "result ";

  private final PrintStream out;
  private final boolean isTerminal;
  private final IntSupplier width;
  private final Ansi colours;

  /**
   * @param out takes the lines
   * @param width of the terminal, in columns
   * @param hasColours whether it shows them
   */
  Screen(PrintStream out, boolean isTerminal, IntSupplier width, boolean hasColours) {
    this.out = out;
    this.isTerminal = isTerminal;
    this.width = width;
    this.colours = hasColours ? Ansi.ON : Ansi.OFF;
  }

  /** Standard output. */
  public static Screen output() {
    return of(System.out, "powercut.terminal.output", "/dev/stdout");
  }

  /** Standard error. */
  public static Screen errors() {
    return of(System.err, "powercut.terminal", "/dev/stderr");
  }

  private static Screen of(PrintStream stream, String property, String device) {
    boolean isTerminal = Boolean.getBoolean(property) && !"dumb".equals(System.getenv("TERM"));
    String noColour = System.getenv("NO_COLOR");
    return new Screen(
        stream,
        isTerminal,
        isTerminal ? new TerminalWidth(device) : () -> TerminalWidth.USUAL,
        isTerminal && (noColour == null || noColour.isEmpty()));
  }

  /** Whether somebody looks at it. */
  public boolean isTerminal() {
    return isTerminal;
  }

  /** What it is wide, in columns. */
  public int width() {
    return width.getAsInt();
  }

  PrintStream stream() {
    return out;
  }

  /** Prints lines, with what matters in them in colour. */
  public void print(List<String> lines) {
    lines.forEach(this::print);
  }

  /** Prints a line, with what matters in it in colour. */
  public void print(String line) {
    if (!isTerminal) {
      out.println(Text.clean(line));
      return;
    }
    print(Wrapping.of(Text.clean(line), width()), style(line));
  }

  /**
   * Prints a row of a table.
   *
   * @param column where its last column begins, from 0: what does not fit goes on below that
   */
  public void printRow(String row, int column) {
    if (isTerminal) {
      print(Wrapping.of(Text.clean(row), width(), column), "");
    } else {
      out.println(Text.clean(row));
    }
  }

  private void print(List<String> parts, String style) {
    for (String part : parts) {
      out.println(part.equals(parts.get(0)) ? coloured(part, style) : part);
    }
  }

  /** Prints a bug that was found just now: a mark of its own, then the line. */
  void printFound(String line) {
    print("BUG " + line.replace('\n', ' '));
  }

  /**
   * The text in a colour, or as it is.
   *
   * @param style as picocli names them, for example {@code bold,red}
   */
  private String inColour(String style, String text) {
    return colours.enabled()
        ? Ansi.Style.on(Ansi.Style.parse(style)) + text + Ansi.Style.reset.on()
        : text;
  }

  private String coloured(String line, String style) {
    if (style.isEmpty()) {
      return line;
    }
    if (line.startsWith(RESULT)) {
      return inColour(style, line);
    }
    int end = line.indexOf(' ') < 0 ? line.length() : line.indexOf(' ');
    return inColour(style, line.substring(0, end)) + line.substring(end);
  }

  private static String style(String line) {
    if (line.startsWith(RESULT)) {
      String result = line.substring(RESULT.length()).strip();
      if (result.startsWith(ExitCode.NOTHING_NEW.meaning())) {
        return "bold,green";
      }
      return result.startsWith(ExitCode.NEW_BUGS.meaning()) ? "bold,red" : "bold,yellow";
    }
    if (TITLES.stream().anyMatch(title -> line.startsWith(title + " "))) {
      return line.startsWith("BUG ") ? "bold,red" : "bold,yellow";
    }
    return "";
  }
}
