package io.powercut.orchestrator.report.html;

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
record Inline(String text) {
  /** Reads it from beside this class. */
  static Inline read(String name) {
    try (InputStream in = requireNonNull(Inline.class.getResourceAsStream(name), name)) {
      return new Inline(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * As a content security policy names it: the browser runs this text and no other, whatever a
   * target's output tries.
   */
  String source() {
    byte[] hash = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes();
    return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
  }
}
