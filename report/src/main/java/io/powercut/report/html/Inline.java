// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static java.util.Objects.requireNonNull;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A style sheet or script that stands in the page.
 *
 * @param text all of it
 */
public record Inline(String text) {
  /** Reads it from the resource of that name beside a class. */
  public static Inline read(Class<?> owner, String name) {
    try (InputStream in = requireNonNull(owner.getResourceAsStream(name), name)) {
      return new Inline(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Inline read(String name) {
    return read(Inline.class, name);
  }

  /** The report's style sheet, for pages that look like it. */
  public static Inline style() {
    return read("report.css");
  }

  /**
   * As a content security policy names it: the browser runs this text and no other, whatever a
   * target's output tries.
   */
  public String source() {
    byte[] hash = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes();
    return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
  }
}
