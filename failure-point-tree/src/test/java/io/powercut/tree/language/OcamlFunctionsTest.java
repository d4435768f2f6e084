// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.tree.source.Setters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OcamlFunctionsTest {
  private final Path directory;

  OcamlFunctionsTest(@TempDir Path directory) {
    this.directory = directory;
  }

  private String file(String source) {
    try {
      return Files.writeString(Files.createTempFile(directory, "x", ".ml"), source).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isWrite(String function) {
    return Setters.contain(file("let size = 8\n\n" + function + "\n\nlet last = 1\n"), "put", 3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "let put fd b = ignore (Unix.write fd b 0 (Bytes.length b))",
        "let put fd b =\n  let n = Unix.write fd b 0 (Bytes.length b) in\n  assert (n = Bytes.length b)",
        """
        let rec put fd b off len =
          if len > 0 then begin
            let n = Unix.write fd b off len in
            put fd b (off + n) (len - n)
          end
        """,
        """
        let put fd s =
          let b = Bytes.of_string s in
          let len = Bytes.length b in
          let rec go off =
            if off < len then go (off + Unix.single_write fd b off (len - off))
          in
          go 0
        """,
        """
        let put (t : log) ~at (b : bytes) = (* a "comment" *)
          ignore (Unix.lseek t.fd at Unix.SEEK_SET);
          if Unix.write t.fd b 0 (Bytes.length b) < Bytes.length b then failwith "short write"
        """,
        "let put a i v = a.{i} <- v",
        "let put a i v = a.values.{i} <- Int64.of_int v",
      })
  void writeOfWhatIsGivenShouldBeItsCallers(String function) {
    assertThat(isWrite(function)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "let put fd b = ignore (Unix.write fd (encode b) 0 8)",
        "let put fd b = Unix.write fd b 0 8; Unix.fsync fd",
        "let put fd b = ignore (Unix.write fd b 0 8); ignore (Unix.write fd b 8 8)",
        "let put fd size =\n  let b = Bytes.of_string \"magic\" in\n  ignore (Unix.write fd b 0 size)",
        "let put fd b = ignore (Unix.lseek fd 0 Unix.SEEK_SET); ignore (Unix.write fd b 0 8)",
        "let put t b = ignore (Unix.write t.fd b 0 8); t.tail <- t.tail + 8",
        "let put fds b = ignore (Unix.write fds.(3) b 0 8)",
        "let put b = ignore (Unix.write log b 0 8)",
        "let put t v = t.counter.{0} <- v",
        "let put a i = a.{i} <- 1L",
        "let put a i v = a.{i} <- next v",
        "let put a i v = a.{i} <- v; a.{i + 1} <- v",
        "let put fd b = ()",
      })
  void whatDoesMoreShouldBeCodeOfItsOwn(String function) {
    assertThat(isWrite(function)).isFalse();
  }

  @Test
  void functionWithinAnotherOneShouldBePartOfIt() {
    String file =
        file(
            """
            module Log = struct
              let write_all fd b =
                let rec go off =
                  if off < Bytes.length b then
                    go (off + Unix.write fd b off (Bytes.length b - off))
                in
                go 0

              let append t b = write_all t.fd b; Unix.fsync t.fd
              let write t b = write_all t.fd b
            end
            let write_all fd b = Log.write_all fd b; Unix.fsync fd
            """);

    assertThat(Setters.contain(file, "go", 5)).isTrue();
    assertThat(Setters.contain(file, "write_all", 7)).isTrue();
    assertThat(Setters.contain(file, "append", 9)).isFalse();
    assertThat(Setters.contain(file, "write_all", 12)).isFalse();
    assertThat(Setters.contain(file, "write_all", 0)).isFalse();
    assertThat(Setters.isAmbiguous(file, "write_all")).isTrue();
    assertThat(Setters.isAmbiguous(file, "go")).isTrue();
    assertThat(Setters.isAmbiguous(file, "append")).isFalse();
  }

  @Test
  void functionThatCallsSuchAFunctionShouldBeItsCallersToo() {
    String file =
        file(
            """
            let write_all fd b = ignore (Unix.write fd b 0 (Bytes.length b))
            let write_text t s = write_all t.fd (Bytes.of_string s)
            """);

    assertThat(Setters.contain(file, "write_text", 2)).isTrue();
    assertThat(Setters.contain(file + ".none.ml", "write_text", 2)).isFalse();
  }
}
