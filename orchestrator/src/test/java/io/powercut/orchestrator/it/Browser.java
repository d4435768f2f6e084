// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A browser without a screen, driven over WebDriver; program and driver are Debian's. */
final class Browser implements AutoCloseable {
  private static final int HEIGHT = 900;

  /**
   * All visible text whose contrast with its background is below what WCAG 2.1 asks for at level
   * AA: 4.5 to 1. Backgrounds are plain colours of the element or of one around it.
   */
  private static final String TEXT_OF_LOW_CONTRAST =
      """
      const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
      const luminance = (colour) => {
        const [r, g, b] = parse(colour).slice(0, 3).map((value) => {
          const part = value / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const isSet = (colour) => { const parts = parse(colour); return parts.length < 4 || parts[3] > 0; };
      const background = (element) => {
        for (let one = element; one; one = one.parentElement) {
          const colour = getComputedStyle(one).backgroundColor;
          if (isSet(colour)) return colour;
        }
        return "rgb(255, 255, 255)";
      };
      const low = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
        const [one, other] = [luminance(getComputedStyle(element).color), luminance(background(element))];
        const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (contrast < 4.5) low.push(contrast.toFixed(2) + " " + walker.currentNode.data.slice(0, 60));
      }
      return low;
      """;

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * Starts one.
   *
   * @param profile a folder of its own, made when it is missing
   */
  static Browser start(Path profile) {
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary("/usr/bin/chromium");
    options.setCapability("goog:loggingPrefs", logs);
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--user-data-dir=" + profile);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new File("/usr/bin/chromedriver"))
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  /**
   * Sets how pages are looked at.
   *
   * @param width of the page in CSS pixels
   * @param scheme {@code light} or {@code dark}
   */
  void look(int width, String scheme) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", width < 600));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Lets pages run scripts, or not; for pages shown from now on. */
  void allowScripts(boolean allowed) {
    driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", !allowed));
  }

  /** Opens a file. */
  void show(Path file) {
    driver.get(file.toUri().toString());
  }

  /** The result of a script's {@code return}. */
  Object execute(String script) {
    return requireNonNull(driver.executeScript(script), script);
  }

  /** Unfolds all that can be unfolded now. */
  void unfoldAll() {
    driver.executeScript(
        "document.querySelectorAll('details').forEach((one) => (one.open = true))");
  }

  /** What a person would find hard to read, with its contrast. */
  List<?> textOfLowContrast() {
    return (List<?>) execute(TEXT_OF_LOW_CONTRAST);
  }

  private WebElement element(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  /** The visible text of the first element that fits. */
  String textOf(String selector) {
    return element(selector).getText();
  }

  /** How many elements fit. */
  long countOf(String selector) {
    return driver.findElements(By.cssSelector(selector)).size();
  }

  /** Whether the first element that fits can be seen. */
  boolean isVisible(String selector) {
    return driver.findElements(By.cssSelector(selector)).stream()
        .findFirst()
        .map(WebElement::isDisplayed)
        .orElse(false);
  }

  /** Clicks at the first element that fits. */
  void click(String selector) {
    element(selector).click();
  }

  /** Presses the enter key at the first element that fits. */
  void pressEnterAt(String selector) {
    pressAt(selector, Keys.ENTER);
  }

  /** Presses a key at the first element that fits. */
  void pressAt(String selector, Keys key) {
    element(selector).sendKeys(key);
  }

  /** Chooses from a list. */
  void choose(String id, String value) {
    element("#" + id + " option[value='" + value + "']").click();
  }

  /** Types behind what is in a field. */
  void type(String id, String text) {
    driver.findElement(By.id(id)).sendKeys(text);
  }

  /** What pages wrote to the console since this was asked before. */
  List<String> console() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::toString)
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
