// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LostMetadataTest {
  private static LostMetadata lost(String kind, String path, String other) {
    StackFrame frame = new StackFrame("save", "app.c", 7, "app", "0x10");
    return LostMetadata.of(
        "id", "fingerprint", List.of(new MetadataCall(kind, path, other, List.of(frame))), 1);
  }

  @ParameterizedTest
  @CsvSource({
    "rename, new, old, that directory",
    "rename, a/new, a/old, the directory a",
    "rename, a/b/new, old, the directories a/b and of the PM files",
    "rename, a/new, b/old, the directories a and b",
    "link, a/file, b/file, the directory b",
    "link, a/file, file, that directory",
    "unlink, a/file, '', the directory a",
    "create, file, '', that directory",
    "rename, '', a/file, the directory a",
    "resize, a/file, '', the file",
  })
  void adviceShouldNameWhatIsToBeSynchronised(
      String kind, String path, String other, String synchronised) {
    assertThat(lost(kind, path, other).advice())
        .isEqualTo("call fsync on " + synchronised + " after it, before it is acknowledged");
  }

  @ParameterizedTest
  @CsvSource({
    "rename, new, old, 'the rename of new to old at save at app.c:7', its directory",
    "create, new, '', 'the creation of new at save at app.c:7', its directory",
    "resize, log, '', 'the resize of log at save at app.c:7', the file",
  })
  void remedyShouldSayWhatIsAcknowledgedTooEarly(
      String kind, String path, String other, String change, String synchronised) {
    assertThat(lost(kind, path, other).remedy())
        .startsWith(change + " is acknowledged before " + synchronised + " is synchronised: ")
        .endsWith(" (verified)");
  }
}
