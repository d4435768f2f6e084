// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PythonBodyTest {
  /** The parameters, and then the lines; there is another function {@code put}. */
  private static boolean isWriteOfGiven(String function) {
    return isWriteOfGiven(function, false);
  }

  private static boolean isWriteOfGiven(String function, boolean maySync) {
    String[] parts = function.split(" @ ");
    return new PythonBody(
            Splitter.on(" / ").splitToList(parts[1]),
            Set.copyOf(Splitter.on(' ').splitToList(parts[0])),
            "put"::equals,
            maySync)
        .isWriteOfGiven();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fd data at @ while data: / k = os.pwrite(fd, data, at) / data = data[k:]; at += k",
        "fd data @ view = memoryview(data) / done = 0 / while done < len(view): / done += os.write(fd,"
            + " view[done:done + MOST])",
        "fd data @ while data: data = data[os.write(fd, data):]",
        "fd data at @ 0 / assert os.pwrite(fd, data, at) == len(data), 0",
        "fd data @ n: int = os.write(fd, data) / if n != len(data): / raise OSError(errno.EIO, 0)",
        "fd data @ while data: / try: / n = os.write(fd, data) / except InterruptedError: / continue"
            + " / except OSError as e: / if e.errno != errno.EAGAIN: raise / time.sleep(1) / continue"
            + " / data = data[n:] / return None",
        "fd data at @ for i in range(0, len(data), 4096): / os.pwrite(fd, data[i:i + 4096], at + i)",
        "fd value at @ os.pwrite(fd, struct.pack(0, value), at)",
        "fd value at @ put(fd, struct.pack(0, value), at)",
        "self data at @ self.put(data, at)",
        "self data @ self.f.write(data)",
        "self data at @ os.pwrite(self.fd, data, at)",
        "self data at @ fd = self.fd / os.pwrite(fd, data, at)",
        "f data @ os.write(f.fileno(), data)",
        "f data at @ f.seek(at) / f.write(data)",
        "fd data at @ os.lseek(fd, at, os.SEEK_SET) / os.write(fd, data)",
        "mm data at @ mm[at:at + len(data)] = data",
        "self data at @ self.mm[at:at + len(data)] = data",
        "mm value at @ struct.pack_into(0, mm, at, value)",
        "f data @ f.write(data) / f.flush()",
        "self data at @ self.f.seek(at) / self.f.write(data) / self.f.flush()",
        "self data @ with self.lock: / self.f.write(data)",
        "base data at @ ctypes.memmove(base + at, data, len(data))",
        "base value at @ ctypes.c_uint64.from_address(base + at).value = value",
        "fd text @ with memoryview(text.encode()) as view: / os.write(fd, view)",
        "f doc @ f.write(json.dumps(doc) + 0)",
        "f key value @ f.write(0 + (key) + (value))",
        "fd data @ if os.write(fd, data) < len(data): / print(0, file=sys.stderr) / sys.exit(1)",
      })
  void writeOfWhatIsGivenShouldBeOne(String function) {
    assertThat(isWriteOfGiven(function)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fd data at @ os.pwrite(fd, data, at) / os.fsync(fd)",
        "fd data at @ os.pwrite(fd, data, at) / os.pwrite(fd, data, at + 8)",
        "fd n @ os.pwrite(fd, HEADER, n)",
        "fd n @ data = bytes(8) / os.pwrite(fd, data, n)",
        "fd data @ data = bytes(8) / os.write(fd, data)",
        "fd data @ os.pwrite(fd, data, 0)",
        "fd data n @ os.pwrite(fd, data, 512 * n)",
        "fd data n @ os.pwrite(fd, data, n * SECTOR)",
        "f data n @ f.seek(n * 512) / f.write(data)",
        "f data @ f.seek(0) / f.write(data)",
        "files data n @ os.write(files[n], data)",
        "name data @ with open(name, 0) as f: f.write(data)",
        "name data @ fd = os.open(name, os.O_RDWR) / os.write(fd, data)",
        "self data @ self.n += 1 / self.f.write(data)",
        "self data @ self.f.write(self.prefix + data)",
        "self data at @ os.pwrite(self.fd, data, self.base + at)",
        "self data @ self.f.write(self.data)",
        "fd data @ os.write(fd, seal(data))",
        "f mm data @ f.write(data) / mm.flush()",
        "f data @ f.write(data) / f.flush() / os.fsync(f.fileno())",
        "mm data n @ mm[n * 64:n * 64 + 64] = data",
        "mm data n @ mm[n] = 1",
        "mm data at @ mm[at:at + 8] = data / mm.flush()",
        "mm value @ struct.pack_into(0, mm, 64, value)",
        "fd data @ other(fd, data)",
        "fd data @ global count / os.write(fd, data)",
        "fd data @ yield os.write(fd, data)",
        "fd data @ pass",
        "fd data @ return len(data)",
      })
  void whatDoesMoreShouldBeNone(String function) {
    assertThat(isWriteOfGiven(function)).isFalse();
  }
}
