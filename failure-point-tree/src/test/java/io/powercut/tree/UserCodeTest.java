// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which frame of a stack a title names and a fingerprint is made of. */
class UserCodeTest {
  private static CodePlace frame(String function, String file, String module) {
    return place(function, file, module, 1);
  }

  private static CodePlace place(String function, String file, String module, long offset) {
    int line = file.isEmpty() ? 0 : 7;
    return new CodePlace(Frame.unknown(module, offset), new SourcePosition(function, file, line));
  }

  private static CodePlace own(String function) {
    return frame(function, "/src/app.c", "app");
  }

  private static String userOf(CodePlace... stack) {
    return UserCode.of(List.of(stack)).orElseThrow().function();
  }

  /** What a method computes on a local variable is stored by its caller. */
  @Test
  void inlinedMethodOfALocalVariableShouldNotBeTheUsersCode(@TempDir Path folder)
      throws IOException {
    String file = folder.resolve("tree.cpp").toString();
    Files.writeString(
        Path.of(file),
        """
        int perm::push(int i) { int v = back(); x_ = (x_ << 4) | i; return v; }
        void insert(int i) { perm cp = p->value();
        cp.push(i); p->set(cp); }
        """);
    CodePlace method = at(file, "perm::push", 1, 1);

    assertThat(userOf(method, at(file, "insert", 3, 1))).isEqualTo("insert");
    assertThat(userOf(method, at(file, "insert", 3, 2))).isEqualTo("perm::push");
    assertThat(userOf(method, at(file, "insert", 2, 1))).isEqualTo("perm::push");
  }

  /** The stack says which function is called. */
  @Test
  void callOfAHelperInAnotherFileShouldBeItsCallers(@TempDir Path folder) throws IOException {
    String helpers = folder.resolve("io.c").toString();
    Files.writeString(
        Path.of(helpers),
        """
        void put(long *to, long v) { *to = v; }
        void seal(struct pool *pool, long v) { pool->n = v; pool->sum = v; }
        void sync_all(void *p, long n) { clwb(p, n); sfence(); }
        """);
    String file = folder.resolve("tree.c").toString();
    Files.writeString(
        Path.of(file),
        """
        void set_key(struct node *n, long v) { put(&n->key, v); }
        void twice(struct node *n, long v) { put(&n->key, v); put(&n->value, v); }
        void end(struct pool *pool, long v) { seal(pool, v); }
        void sync_node(struct node *n) { sync_all(n, sizeof *n); }
        """);
    CodePlace put = at(helpers, "put", 1, 1);
    CodePlace insert = at(file, "insert", 9, 9);

    assertThat(userOf(put, at(file, "set_key", 1, 2), insert)).isEqualTo("insert");
    assertThat(userOf(put, at(file, "twice", 2, 2), insert)).isEqualTo("twice");
    assertThat(userOf(at(helpers, "seal", 2, 1), at(file, "end", 3, 2))).isEqualTo("seal");
    assertThat(userOf(at(helpers, "sync_all", 3, 1), at(file, "sync_node", 4, 2), insert))
        .isEqualTo("sync_node");
    assertThat(userOf(at("/nowhere.c", "put", 1, 1), at(file, "set_key", 1, 2), insert))
        .isEqualTo("put");
  }

  /** The compiler makes the last step of what is computed and its store one. */
  @Test
  void valueThatAnInlinedFunctionReturnsShouldBeItsCallers(@TempDir Path folder)
      throws IOException {
    String file = folder.resolve("log.c").toString();
    Files.writeString(
        Path.of(file),
        """
        static uint32_t crc(const char *at) {
          uint32_t sum = *at;
          return ~(uint32_t)sum;
        }
        static uint32_t next(uint32_t *at) { uint32_t last = at[1];
          return last + at[0];
        }
        void append(void) { record->crc = crc(record->text); }
        static uint32_t sum(struct record *of) { return crc(of->text + 4); }
        """);
    CodePlace caller = at(file, "append", 8, 1);

    assertThat(userOf(at(file, "crc", 3, 1), caller)).isEqualTo("append");
    assertThat(userOf(at(file, "crc", 3, 2), caller)).isEqualTo("crc");
    assertThat(userOf(at(file, "crc", 2, 1), caller)).isEqualTo("crc");
    assertThat(userOf(at(file, "next", 6, 1), caller)).isEqualTo("next");
    assertThat(userOf(at(file, "memcpy", 3, 1), at(file, "crc", 3, 1), caller)).isEqualTo("crc");
    assertThat(userOf(at(file, "crc", 3, 1), at(file, "sum", 9, 1), caller)).isEqualTo("append");
    assertThat(userOf(at(file, "crc", 2, 1), at(file, "sum", 9, 1), caller)).isEqualTo("crc");
    assertThat(storing(at(file, "crc", 3, 1), caller)).isEqualTo("append");
    assertThat(storing(at(file, "crc", 3, 2), caller)).isEqualTo("crc");
    assertThat(storing(at(file, "crc", 2, 1), caller)).isEqualTo("crc");
    assertThat(storing(at(file, "next", 6, 1), caller)).isEqualTo("append");
    assertThat(storing(at(file, "next", 5, 1), caller)).isEqualTo("next");
    assertThat(storing(at(file, "crc", 3, 1), at(file, "sum", 9, 1), caller)).isEqualTo("append");
    assertThat(storing(at(file, "crc", 2, 1), at(file, "sum", 9, 1), caller)).isEqualTo("crc");
  }

  /** The innermost function that may make a store. */
  private static String storing(CodePlace... stack) {
    return UserCode.ofStore(List.of(stack)).get(0).function();
  }

  private static CodePlace at(String file, String function, int line, long offset) {
    return new CodePlace(Frame.unknown("app", offset), new SourcePosition(function, file, line));
  }

  @Test
  void librariesOfGoShouldNotBeTheUsersCode() {
    String file = "/usr/lib/go-1.19/src/encoding/binary/binary.go";
    assertThat(
            userOf(
                frame("encoding/binary.littleEndian.PutUint64", file, "app"),
                frame("main.(*pool).write", file, "app")))
        .isEqualTo("main.(*pool).write");
  }

  @Test
  void librariesOfOcamlShouldNotBeTheUsersCode() {
    assertThat(
            userOf(
                frame("caml_write_fd", "", "app"),
                frame("caml_flush_partial", "", "app"),
                frame("camlStdlib__flush_247", "./stdlib/stdlib.ml", "app"),
                frame("camlStore__save_12", "store.ml", "app")))
        .isEqualTo("camlStore__save_12");
    assertThat(userOf(frame("unix_write", "", "app"), own("camlStore__save_12")))
        .isEqualTo("camlStore__save_12");
  }

  @Test
  void functionsInCShouldBeTheUsersCodeWhateverOcamlCallsItsOwn() {
    assertThat(userOf(frame("unix_write", "", "app"), own("save"))).isEqualTo("unix_write");
    assertThat(userOf(frame("caml_put", "stubs.c", "app"), own("camlStore__save_12")))
        .isEqualTo("caml_put");
  }

  @ParameterizedTest
  @CsvSource({
    "system__file_io__close, '', libgnat-12.so",
    "system__file_io__close, '', app",
    "ada__streams__stream_io__write, /usr/lib/gcc/adainclude/a-ststio.adb, app",
    "_gfortran_st_write_done, '', libgfortran.so.5",
    "_D3std5stdio4File5flushMFZv, '', libphobos2-ldc-shared.so.100"
  })
  void librariesOfOtherLanguagesShouldNotBeTheUsersCode(
      String function, String file, String module) {
    assertThat(userOf(frame(function, file, module), own("save"))).isEqualTo("save");
  }

  @Test
  void packagesOfAdaShouldBeTheUsersCode() {
    assertThat(userOf(frame("system__log__put", "system-log.adb", "app"), own("save")))
        .isEqualTo("system__log__put");
  }

  @Test
  void unitsOfPascalShouldNotBeTheUsersCode() {
    String save = "P$STORE_$$_SAVE$LONGINT";
    assertThat(
            userOf(
                frame("SYSTEM_$$_FPSYSCALL$INT64$$INT64", "", "app"),
                frame(save, "store.pas", "app")))
        .isEqualTo(save);
  }

  @ParameterizedTest
  @CsvSource({
    "BASEUNIX_$$_FPACCESS$PCHAR$LONGINT$$LONGINT, '', true",
    "runtime.mallocgc, /usr/lib/go-1.19/src/runtime/malloc.go, true",
    "P$STORE_$$_SAVE$LONGINT, '', false",
    "save, save.c, false"
  })
  void functionsThatComeWithACompilerShouldBeKnown(String function, String file, boolean isKnown) {
    assertThat(UserCode.isOfLanguage(function, file, "app")).isEqualTo(isKnown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ptr/mod.rs",
        "/home/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/ptr/mod.rs"
      })
  void librariesOfRustShouldNotBeTheUsersCode(String file) {
    assertThat(userOf(frame("write_volatile<u64>", file, "app"), own("insert")))
        .isEqualTo("insert");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pm_persist",
        "persist",
        "flush",
        "clwb",
        "clflushopt_range",
        "pmem_memcpy_persist",
        "_mm_clwb",
        "nt_store64",
        "storeNonTemporal",
        "pm_copy",
        "nvm::persist(void const*, unsigned long)",
        "memcpy@@GLIBC_2.14",
        "__memmove_avx_unaligned_erms",
        "runtime.memmove",
        "std::atomic<unsigned long>::store(unsigned long, std::memory_order)",
        "void std::__atomic_base<int>::store<3>(int)",
        "__atomic_store_8",
        "Ptr<Node>::operator=(Node*)",
        "pmem::obj::p<int>::operator=(int const&)",
        "pm_persist.constprop.0"
      })
  void helperShouldNotBeTheUsersCode(String helper) {
    assertThat(userOf(own(helper), own("insert"), own("main"))).isEqualTo("insert");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "persist_node",
        "flush_log",
        "Log::flush()",
        "store",
        "copy",
        "write",
        "set",
        "copy_data_to_slot",
        "std_insert",
        "ring::push<int>(int const&)",
        "void fill<Record>(Record&)",
        "Table<int>::operator()(int)",
        "main"
      })
  void functionThatDoesMoreShouldBeTheUsersCode(String function) {
    assertThat(userOf(own("pm_persist"), own(function), own("caller"))).isEqualTo(function);
  }

  @Test
  void librariesAndHeadersOfTheSystemShouldBeLeftOut() {
    assertThat(
            userOf(
                frame("", "", "libpmem.so.1.0.0"),
                frame("pmemobj_tx_commit", "", "libpmemobj.so.1"),
                frame("any", "", "libc.so.6"),
                frame("any", "", "libc-2.36.so"),
                frame("any", "", "ld-linux-x86-64.so.2"),
                frame("any", "", "libstdc++.so.6.0.30"),
                frame("__tsan_atomic64_store", "/opt/powercut/atomics.c", "libpowercut-race.so"),
                frame("store", "/usr/include/c++/12/bits/atomic_base.h", "app"),
                frame("fence", "/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h", "app"),
                frame("stream", "/opt/powercut/race-runtime/headers/emmintrin.h", "app"),
                own("insert")))
        .isEqualTo("insert");
  }

  /** What debug information tells of an intrinsic: the line inside, and the function around. */
  @Test
  void functionWithALineOfAHeaderShouldBeTheUsersCode() {
    CodePlace intrinsic =
        place("quote_set", "/usr/lib/gcc/x86_64/12/include/emmintrin.h", "app", 7);
    assertThat(userOf(intrinsic, own("day"))).isEqualTo("quote_set");
  }

  /** As a header's own functions are where nothing is inlined. */
  @Test
  void functionThatAHeaderDefinesShouldBeLeftOut() throws IOException {
    String header = "/usr/include/c++/12/bits/stl_algobase.h";
    List<String> lines = Files.readAllLines(Path.of(header));
    int line =
        IntStream.range(0, lines.size())
                .filter(at -> lines.get(at).contains("__lg(int __n)"))
                .findFirst()
                .orElseThrow()
            + 2;
    assertThat(userAt(header, line, "__lg(int)")).isEqualTo("caller");
    assertThat(userAt(header, line, "add(int)")).isEqualTo("add(int)");
    assertThat(userAt(header, line, "Queue::__lg(int)")).isEqualTo("Queue::__lg(int)");
    assertThat(userAt(header, line + 100, "__lg(int)")).isEqualTo("__lg(int)");
  }

  private static String userAt(String file, int line, String function) {
    CodePlace there =
        new CodePlace(Frame.unknown("app", 7), new SourcePosition(function, file, line));
    return userOf(there, own("caller"));
  }

  /** Where the images of compilers have their users build programs. */
  @Test
  void sourcesOfTheUserBelowUsrShouldBeTheUsersCode() {
    CodePlace inlined = place("add", "/usr/src/app/log.cpp", "app", 7);
    assertThat(userOf(inlined, place("main", "/usr/src/app/main.cpp", "app", 7))).isEqualTo("add");
  }

  /** Their files hold what was compiled from them, and nothing of the user's. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/usr/lib/crystal/lib/pointer.cr", "/usr/lib/nim/system.nim", "/usr/lib/go/x.d"})
  void librariesOfOtherLanguagesShouldBeLeftOut(String file) {
    assertThat(userOf(place("assign", file, "app", 7), own("sum"))).isEqualTo("sum");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "__pthread_kill_implementation      | ./nptl/pthread_kill.c          | ''",
        "__GI_raise                         | ../sysdeps/posix/raise.c       | ''",
        "__GI_abort                         | ''                             | static",
        "__assert_fail                      | ''                             | static",
        "__pthread_kill_internal            | ''                             | static",
        "std::terminate()                   | ''                             | static",
        "__cxa_throw                        | ''                             | static",
        "std::__throw_out_of_range_fmt(char const*, ...) | ''                | static",
        "std::process::abort                | library/std/src/process.rs     | app",
        "core::panicking::panic_fmt         | library/core/src/panicking.rs  | app",
        "core::option::unwrap_failed        | ''                             | app",
        "rust_begin_unwind                  | ''                             | app",
        "__rust_start_panic                 | library/panic_abort/src/lib.rs | app",
        "panic                              | /src/die.c                     | app",
        "<signal handler called>            | ''                             | ''"
      })
  void whatEndsTheProgramShouldNotBeTheUsersCode(String function, String file, String module) {
    assertThat(userOf(frame(function, file, module), own("check"), own("main"))).isEqualTo("check");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tx_abort",
        "Log::abort(int)",
        "panic_log_append",
        "raise_level",
        "core",
        "clone",
        "rust_store",
        "core::Engine::commit(int)",
        "alloc::Pool::take(unsigned long)"
      })
  void whatSoundsLikeAnEndShouldBeTheUsersCode(String function) {
    assertThat(userOf(own(function), own("main"))).isEqualTo(function);
  }

  @Test
  void foldersWithNamesOfTheCLibrarysShouldBeTheUsers() {
    assertThat(userOf(frame("read_log", "./io/log.c", "app"), own("main"))).isEqualTo("read_log");
  }

  @Test
  void pythonFunctionShouldBeTheUsersCodeAndNotWhatItCalls() {
    CodePlace flush = frame("", "", "mmap.cpython-311-x86_64-linux-gnu.so");
    CodePlace wrapper = frame("flush", "/src/ring.py", "ring.py");
    CodePlace append = frame("Ring.append", "/src/ring.py", "ring.py");
    CodePlace package_ = frame("each", "/home/me/venv/lib/python3.11/site-packages/a.py", "a.py");
    CodePlace frozen = frame("_call_with_frames_removed", "<frozen importlib._bootstrap>", "x");
    CodePlace pack = frame("", "", "python3.11");
    CodePlace library = frame("PyObject_Call", "/tmp/call.c", "libpython3.12.so.1.0");

    assertThat(userOf(flush, wrapper, append)).isEqualTo("Ring.append");
    assertThat(userOf(pack, append)).isEqualTo("Ring.append");
    assertThat(userOf(library, append)).isEqualTo("Ring.append");
    assertThat(userOf(flush, package_, append)).isEqualTo("Ring.append");
    assertThat(
            userOf(
                frame("encode", "/tmp/_json.c", "_json.cpython-311-x86_64-linux-gnu.so"), append))
        .isEqualTo("Ring.append");
    assertThat(userOf(frozen, append)).isEqualTo("Ring.append");
    // An extension module of the user's own.
    assertThat(userOf(frame("push", "", "_ring.cpython-311-x86_64-linux-gnu.so"), append))
        .isEqualTo("push");
  }

  @Test
  void packageThatAnInstalledScriptStartsShouldBeTheUsersCode() {
    String packages = "/usr/lib/python3/dist-packages/";
    CodePlace write = frame("write", "", "libc.so.6");
    CodePlace temporary = frame("mkstemp", "/usr/lib/python3.11/tempfile.py", "tempfile.py");
    CodePlace other = frame("put", packages + "hgother/a.py", "a.py");
    CodePlace close = frame("transaction.close", packages + "hg/transaction.py", "transaction.py");
    CodePlace run = frame("run", packages + "hg/dispatch.py", "dispatch.py");
    CodePlace script = frame("<module>", "/usr/bin/hg", "hg");
    CodePlace plugin = frame("hook", "/home/me/hook.py", "hook.py");
    CodePlace frozen = frame("_run_module_as_main", "<frozen runpy>", "runpy");

    assertThat(userOf(write, temporary, other, close, run, script)).isEqualTo("transaction.close");
    assertThat(userOf(write, temporary, close, run, frozen)).isEqualTo("transaction.close");
    assertThat(userOf(write, plugin, close, run, script)).isEqualTo("hook");
    // A script of the user's own that calls a package, and one that was installed elsewhere.
    assertThat(userOf(write, close, frame("<module>", "/home/me/kv.py", "kv.py")))
        .isEqualTo("<module>");
    assertThat(userOf(write, close, frame("<module>", "/home/me/bin/kv", "kv")))
        .isEqualTo("<module>");
    assertThat(userOf(write, close, frame("main", "/usr/bin/kv", "kv"))).isEqualTo("main");
    // One file instead of a folder, in an environment of its own.
    assertThat(
            userOf(
                write,
                frame("put", "/venv/lib/python3.11/site-packages/kv.py", "kv.py"),
                frame("<module>", "/venv/bin/kv", "kv")))
        .isEqualTo("put");
  }

  @Test
  void interpreterInsideAStackShouldMeanThatItsFramesAreUnread() {
    Frame msync = Frame.of("libc.so.6", 1, "msync", "", 0);
    Frame pack = Frame.unknown("python3.10", 2);
    Frame append = Frame.of("ring.py", 3, "append", "/src/ring.py", 43);

    assertThat(PythonCode.isUnread(CallStack.of(msync, pack))).isTrue();
    assertThat(PythonCode.isUnread(CallStack.of(pack, append))).isFalse();
    assertThat(PythonCode.isUnread(CallStack.of(msync, append))).isFalse();
  }

  @Test
  void librariesAndHeadersOfTheUserShouldStay() {
    assertThat(userOf(frame("put", "/src/tree.hpp", "app"), own("main"))).isEqualTo("put");
    assertThat(userOf(frame("put", "", "liblmdb.so"), own("main"))).isEqualTo("put");
    assertThat(userOf(frame("", "", "libcache.so"), own("main"))).isEmpty();
  }

  @Test
  void threadThatBeginsInAHelperShouldHaveItForItsCode() {
    assertThat(
            userOf(
                own("pm_fence"),
                own("pm_persist"),
                own("flush_all"),
                frame("start_thread", "./nptl/pthread_create.c", "libc.so.6")))
        .isEqualTo("flush_all");
  }

  @Test
  void withoutCodeOfTheProgramTheInnermostFrameWithAFileShouldCount() {
    assertThat(userOf(frame("x", "", "libc.so.6"), frame("y", "./nptl/y.c", "libc.so.6")))
        .isEqualTo("y");
    assertThat(userOf(frame("memcpy", "", "libc.so.6"), frame("x", "", "libc.so.6")))
        .isEqualTo("memcpy");
    assertThat(UserCode.of(List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "insert                                   | insert            | insert",
        "insert.constprop.0.isra.2                | insert            | insert",
        "insert [clone .part.0]                   | insert            | insert",
        "camlStore__add_824                       | Store.add         | Store.add",
        "P$STORE_$$_ADD$QWORD                     | STORE.ADD         | STORE.ADD",
        "__log_book_MOD_add_line.isra.0           | log_book::add_line | add_line",
        "Tree<int, std::less<int> >::put(int)     | Tree::put         | put",
        "void a::fill<b::C>(b::C&, int)           | a::fill           | fill",
        "std::vector<int> a::make<int>(int)       | a::make           | make",
        "(anonymous namespace)::Log::add(char)    | ::Log::add        | add",
        "bool operator< <int>(T const&, T const&) | operator<         | operator<",
        "P<T>::operator->() const                 | P::operator->     | operator->",
        "F::operator()(int) const                 | F::operator()     | operator()",
        "P<int>::operator=(int)                   | P::operator=      | operator=",
        "Node::~Node()                            | Node::~Node       | ~Node",
        "<ring::Ring as ring::Log>::append        | ring::Ring::append | append",
        "<ring::Ring<T> as ring::Log<U>>::append  | ring::Ring::append | append",
        "<ring::Ring<T>>::append                  | ring::Ring::append | append",
        "<größe::Maß as ring::Log>::append        | größe::Maß::append | append",
        "größe.(*maß).write                       | größe.maß.write    | größe.maß.write",
        "main.(*pool).write                       | main.pool.write   | main.pool.write",
        "Ring.append                              | Ring.append       | Ring.append",
        "Ring.append.<locals>.<lambda>            | Ring.append.<lambda> | Ring.append.<lambda>",
        "main.<locals>.inner                      | main.inner        | main.inner",
        "<module>                                 | <module>          | <module>",
        "Tree<module>::put(int)                   | Tree::put         | put"
      })
  void nameShouldBeThatOfTheSource(String symbol, String qualified, String simple) {
    FunctionName name = FunctionName.of(symbol);
    assertThat(name.qualified()).isEqualTo(qualified);
    assertThat(name.simple()).isEqualTo(simple);
  }

  @Test
  void wordsShouldBeThoseOfTheName() {
    assertThat(Stream.of("storeRelease64", "pm_store_u8", "a::B::flushAll", "größe_flush"))
        .extracting(name -> String.join(" ", FunctionName.of(name).words()))
        .containsExactly("store release 64", "pm store u 8", "a b flush all", "größe flush");
  }

  @Test
  void helperThatIsCalledFromTwoLinesShouldBeTwoPlaces() {
    assertThat(placeOf(12, 0x20)).isNotEqualTo(placeOf(13, 0x30));
    assertThat(placeOf(12, 0x20)).isEqualTo(placeOf(12, 0x30));
  }

  @Test
  void withoutALineTheAddressShouldBeThePlace() {
    assertThat(placeOf(0, 0x20)).isNotEqualTo(placeOf(0, 0x30)).isEqualTo("app+0x20");
  }

  /** What a helper does for a caller at a line. */
  private static String placeOf(int line, long offset) {
    return UserCode.placeOf(
            CallStack.of(
                Frame.of("app", 0x10, "pm_persist", "/src/pm.h", 5),
                Frame.of("app", offset, "insert", line == 0 ? "" : "/src/app.c", line)))
        .identity();
  }

  @Test
  void callerOfASetterShouldBeTheUsersCode(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("program.c");
    Files.writeString(
        file,
        "void put(long *p, long v) { *p = v; }\nvoid insert(void)\n{\n\tput(&x, 1);\n\tf();\n}");
    CodePlace setter = setterPlace("put", file, 1);
    CodePlace caller = setterPlace("insert", file, 4);

    assertThat(UserCode.of(List.of(setter, caller))).isEqualTo(Optional.of(caller));
    assertThat(UserCode.of(List.of(setter))).isEqualTo(Optional.of(setter));
  }

  /** As any other function, if its source is there. */
  @Test
  void operatorThatDoesMoreThanToStoreShouldBeTheUsersCode(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("program.cc");
    Files.writeString(
        file,
        """
        struct Text {
          Text &operator+=(uint64_t v) {
            word[count] = v;
            count = count + 1;
            return *this;
          }
          Text &operator = (const Text &) = default;
        };
        template <class T> struct persist { T v; persist &operator=(T x) { v = x; flush(&v); return *this; } };
        Text &Text::operator++() { word[count++] = 0; return *this; }
        void insert(Text &text) { text += 1; }
        """);
    CodePlace caller = setterPlace("insert", file, 11);
    CodePlace append = setterPlace("Text::operator+=(unsigned long)", file, 3);
    CodePlace count = setterPlace("Text::operator++() [clone .isra.0]", file, 10);
    CodePlace store = setterPlace("persist<long>::operator=(long)", file, 9);
    CodePlace copy = setterPlace("Text::operator=(Text const&)", file, 1);

    assertThat(UserCode.of(List.of(append, caller))).isEqualTo(Optional.of(append));
    assertThat(UserCode.of(List.of(count, caller))).isEqualTo(Optional.of(count));
    assertThat(UserCode.of(List.of(store, caller))).isEqualTo(Optional.of(caller));
    assertThat(UserCode.of(List.of(copy, caller))).isEqualTo(Optional.of(caller));
  }

  /** Compilers and debuggers give them many names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "alpha(unsigned long)::{lambda(Cell&, unsigned long)#1}::operator()(Cell&, unsigned long) const",
        "put::{lambda(Cell&, unsigned long)#1}::operator()(Cell&, unsigned long) const [clone .isra.0]",
        "alpha(unsigned long)::$_1::operator()(Cell&, unsigned long) const",
        "operator()"
      })
  void callerOfALambdaThatStoresShouldBeTheUsersCode(String name, @TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("program.cc");
    Files.writeString(
        file,
        """
        void alpha(uint64_t r) {
          auto put = [](Cell &c, uint64_t v) { c.v = v; };
          auto append = [&](Cell &c, uint64_t v) {
            c.v = v;
            flush(&c);
          };
          auto both = [] { a = 1; }, one = [](Cell &c, uint64_t v) { c.v = v; };
          put(cells[0], r);
        }
        struct Put { void operator()(Cell &c, uint64_t v) const { c.v = v; } };
        """);
    CodePlace caller = setterPlace("alpha(unsigned long)", file, 8);

    assertThat(UserCode.of(List.of(setterPlace(name, file, 2), caller))).contains(caller);
    assertThat(UserCode.of(List.of(setterPlace(name, file, 10), caller))).contains(caller);
    for (int line : List.of(4, 7, 8)) {
      CodePlace own = setterPlace(name, file, line);
      assertThat(UserCode.of(List.of(own, caller))).contains(own);
    }
  }

  private static CodePlace setterPlace(String function, Path file, int line) {
    return CodePlace.of(Frame.of("app", 0x10L * line, function, file.toString(), line)).get(0);
  }

  private static String userIn(Path folder, String file, String function, String body)
      throws IOException {
    Path source = folder.resolve(file);
    Files.createDirectories(source.getParent());
    Files.writeString(source, "void " + function + "(struct q *q, long v)\n{\n" + body + "\n}\n");
    return userOf(
        new CodePlace(Frame.unknown("app", 1), new SourcePosition(function, source.toString(), 3)),
        own("caller"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pmem_push",
        "memcpy_entry",
        "persist_all",
        "flush",
        "atomic_set",
        "panic",
        "write_mem"
      })
  void functionThatStoresItsOwnShouldBeTheUsersCodeWhateverItsName(
      String function, @TempDir Path folder) throws IOException {
    String body = "q->e[q->n].v = v; q->n++;";
    assertThat(userIn(folder, "a.c", function, body)).isEqualTo(function);
    assertThat(userIn(folder, "b.c", function, "flush_line(q); sfence();")).isEqualTo("caller");
    assertThat(userIn(folder, "c.c", function, "memcpy(q, &v, 8); sfence();")).isEqualTo("caller");
  }

  @ParameterizedTest
  @CsvSource({
    "libpmem/pmem.c, pmem_drain_all",
    "pmdk-1.12/src/common/x.c, flush_all",
    "musl-1.2/src/x.c, memcpy_a",
    "a.c, memcpy",
    "a.c, __memcpy_a",
    "a.c, pthread_mutex_lock"
  })
  void libraryThatIsCompiledIntoTheProgramShouldNotBeTheUsersCode(
      String file, String function, @TempDir Path folder) throws IOException {
    assertThat(userIn(folder, file, function, "q->e[q->n].v = v; q->n++;")).isEqualTo("caller");
  }
}
