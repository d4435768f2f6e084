// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoCodeTest {
  @ParameterizedTest
  @CsvSource({
    "runtime.memmove, /usr/lib/go-1.19/src/runtime/memmove_amd64.s",
    "runtime.casgstatus, /usr/local/go/src/runtime/proc.go",
    "encoding/binary.littleEndian.PutUint64, /home/me/sdk/go1.22.1/src/encoding/binary/binary.go",
    "runtime/internal/atomic.Cas, /opt/hostedtoolcache/go/1.19.8/x64/src/runtime/internal/atomic/a.s",
    "syscall.Syscall, syscall/syscall_linux.go",
    "syscall.RawSyscall6, /usr/lib/go-1.19/src/runtime/internal/syscall/syscall_linux.go",
    "syscall.RawSyscall6, /usr/local/go/src/internal/runtime/syscall/syscall_linux.go",
    "sync.runtime_Semrelease, /usr/local/go/src/runtime/sema.go",
    "internal/poll.runtime_pollOpen, runtime/netpoll.go",
    "vendor/golang.org/x/net/idna.ToASCII, /usr/lib/go/src/vendor/golang.org/x/net/idna/idna.go"
  })
  void packagesOfGoShouldBeALibrary(String function, String file) {
    assertThat(GoCode.isLibrary(function, file)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "main.(*pool).write, /usr/lib/go-1.19/src/encoding/binary/binary.go",
    "main.main, /home/me/go/src/store/main.go",
    "example.com/sync.Put, /home/me/go/src/example.com/sync/put.go",
    "store/log.Put, /home/me/go/src/store/log/put.go",
    "runtime_start, /home/me/runtime/start.c",
    "main.put, /usr/local/go/src/runtime/internal/atomic/atomic_amd64.go",
    "example.com/log.put, /usr/local/go/src/internal/runtime/atomic/atomic_amd64.go",
    "main.run, /home/me/runtime/main.go"
  })
  void codeOfTheUserShouldNotBe(String function, String file) {
    assertThat(GoCode.isLibrary(function, file)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "main.(*pool).write, main.pool.write",
    "example.com/kv.(*Map[...]).Put.func1, example.com/kv.Map[...].Put.func1",
    "ring::push(int), ring::push(int)",
    "f(int (*)(int)), f(int (*)(int))",
    "main.run, main.run"
  })
  void methodShouldBeNamedAfterItsType(String function, String name) {
    assertThat(GoCode.withoutReceiver(function)).isEqualTo(name);
  }
}
