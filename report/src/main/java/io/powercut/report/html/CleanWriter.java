// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.format.Text;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/** Writes only characters that can be seen, whatever it is given. */
final class CleanWriter extends FilterWriter {
  CleanWriter(Writer out) {
    super(out);
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    out.write(Text.clean(text.substring(offset, offset + length)));
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    write(new String(text, offset, length), 0, length);
  }

  @Override
  public void write(int character) throws IOException {
    out.write(Text.clean(String.valueOf((char) character)));
  }
}
