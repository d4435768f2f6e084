// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import static io.powercut.report.evidence.JudgedState.Missing.ATOMICITY;
import static io.powercut.report.evidence.JudgedState.Missing.FENCE;
import static io.powercut.report.evidence.JudgedState.Missing.FLUSH;
import static io.powercut.report.evidence.JudgedState.Missing.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a fingerprint survives, and what it tells apart. */
class FindingIdentityTest {
  private static final String SOURCE =
      """
      static void put(struct map *m, int k)
      {
      \tm->key = k;
      \tif (m->full) {
      \t\tm->size++;
      \t\tput(m, k + 1);
      \t\tm->size++;
      \t}
      }

      void set(struct map *m)
      {
      \tm->size++;
      }
      """;

  @TempDir private Path directory;
  private Path source = Path.of("");

  @BeforeEach
  void write() throws IOException {
    source = Files.writeString(directory.resolve("map.c"), SOURCE);
  }

  private StackFrame frame(String function, int line) {
    return new StackFrame(function, source.toString(), line, "map", "0x10");
  }

  private String place(StackFrame... stack) {
    return new CodePlaces(module -> Optional.empty()).of(List.of(stack));
  }

  private static JudgedState.Store store(JudgedState.Missing missing, StackFrame... stack) {
    return new JudgedState.Store(
        new ImageStore("pool", 0, 8, "00", List.of(stack)), 1, missing, JudgedState.Role.CAUSE, "");
  }

  private static String of(List<JudgedState.Store> lost, List<JudgedState.Store> arrived) {
    return new FindingIdentity(new CodePlaces(module -> Optional.empty())).ofState(lost, arrived);
  }

  private String lost(JudgedState.Missing missing, int line) {
    return of(List.of(store(missing, frame("put", line))), List.of());
  }

  @Test
  void instancesOfAGenericPackageOfAdaShouldBeOnePlace() throws IOException {
    Path file = Files.writeString(directory.resolve("tables.adb"), "A := 1;\nB := 2;\nA := 1;\n");
    StackFrame numbers = new StackFrame("pool__numbers__put", file.toString(), 1, "map", "0x10");
    StackFrame points = new StackFrame("pool__points__put.12", file.toString(), 1, "map", "0x20");
    StackFrame later = new StackFrame("pool__points__put", file.toString(), 3, "map", "0x30");

    assertThat(place(numbers)).isEqualTo("put in tables.adb: A := 1;").isEqualTo(place(points));
    assertThat(place(later)).isNotEqualTo(place(numbers));
    assertThat(points.text()).isEqualTo("pool.points.put at " + file + ":1");
  }

  @Test
  void placeShouldBeTheFunctionAndTheTextOfTheLine() {
    assertThat(place(frame("put.isra.0", 3), frame("main", 13)))
        .isEqualTo("put in map.c: m->key = k;")
        .isEqualTo(place(frame("pm_persist", 1), frame("put", 3), frame("other", 5)));
  }

  @Test
  void equalLinesOfAFunctionShouldBeSeveralPlacesAndOfOthersNone() {
    assertThat(place(frame("put", 5))).isEqualTo("put in map.c: m->size++;");
    assertThat(place(frame("put", 7))).isEqualTo("put in map.c: m->size++; #2");
    assertThat(place(frame("set", 13))).isEqualTo("set in map.c: m->size++;");
  }

  private String placeIn(String text, String function, int line) throws IOException {
    Path file = Files.writeString(Files.createTempFile(directory, "list", ".cc"), text);
    return place(new StackFrame(function, file.toString(), line, "map", "0x10"))
        .replaceFirst("list\\d+", "list");
  }

  @Test
  void equalLinesOfMethodsAndOverloadsOfOneNameShouldBeSeveralPlaces() throws IOException {
    String source =
        """
        struct Stack {
          void insert(long v)
          {
            item[n] = v;
          }
        };
        void Queue::insert(long v)
        {
            item[n] = v;
        }
        void other(long v)
        {
            item[n] = v;
        }
        """;
    assertThat(placeIn(source, "Stack::insert(long)", 4))
        .isEqualTo("insert in list.cc: item[n] = v;");
    assertThat(placeIn(source, "Queue::insert(long)", 9))
        .isEqualTo("insert in list.cc: item[n] = v; #2");
    assertThat(placeIn(source, "other(long)", 13)).isEqualTo("other in list.cc: item[n] = v;");
  }

  @Test
  void callOfAFunctionByItselfShouldNotBeItsBeginning() throws IOException {
    String source =
        """
        int visit(struct ref *t, int depth)
        {
          if (t->even && visit(t, depth - 1)) {
            t->e = 1;
          } else if (visit(t, depth - 1)) {
            t->e = 1;
          }
        }
        """;
    assertThat(placeIn(source, "visit(ref*, int)", 4)).isEqualTo("visit in list.cc: t->e = 1;");
    assertThat(placeIn(source, "visit(ref*, int)", 6)).isEqualTo("visit in list.cc: t->e = 1; #2");
  }

  @Test
  void fingerprintShouldStayWhenLinesMoveAndTellStoresOfAFunctionApart() throws IOException {
    String before = lost(FLUSH, 3);
    assertThat(lost(FLUSH, 5)).isNotEqualTo(before).isNotEqualTo(lost(FLUSH, 7));

    Files.writeString(source, "// new\n\n" + SOURCE.replace("\tm->key = k;", "    m->key  =  k;"));
    assertThat(lost(FLUSH, 5)).isEqualTo(before);
  }

  @Test
  void kindOfWhatIsMissingShouldTellFindingsApart() {
    assertThat(List.of(lost(FLUSH, 3), lost(ORDER, 3), lost(ATOMICITY, 3))).doesNotHaveDuplicates();
    assertThat(lost(FENCE, 3)).isEqualTo(lost(FLUSH, 3));
  }

  @Test
  void partsThatCanBeTornApartShouldBeOneFindingWhicheverIsLost() {
    JudgedState.Store low = store(ATOMICITY, frame("put", 3));
    JudgedState.Store high = store(ATOMICITY, frame("put", 5));
    assertThat(of(List.of(low), List.of(high))).isEqualTo(of(List.of(high), List.of(low)));
  }

  @Test
  void withoutSourceTheInstructionShouldCount() {
    String[] gdb = {
      "Dump of assembler code for function put:",
      "   0x0000000000001129 <+0>:\tpush   %rbp",
      "   0x000000000000112d <+4>:\tmov    %rdi,-0x8(%rbp)",
      "   0x0000000000001131 <+8>:\tmov    -0x8(%rbp),%rax",
      "   0x0000000000001135 <+12>:\tmovq   $0x1,(%rax)",
      "   0x000000000000113c <+19>:\tlock cmpxchg %rdx,0x10(%rax)",
      "   0x0000000000001144 <+27>:\tcall   0x1119 <flush>",
      "   0x0000000000001149 <+32>:\tclwb   (%rax)",
      "   0x000000000000114d <+36>:\tmov    %eax,0x2ed9(%rip)        # 0x402c <total>",
      "   0x0000000000001153 <+42>:\tcmpl   $0x0,(%rax)",
      "End of assembler dump."
    };
    assertThat(Disassembly.ordinal(List.of(gdb), 0x1135)).hasValue("store 1");
    assertThat(Disassembly.ordinal(List.of(gdb), 0x113c)).hasValue("store 2");
    assertThat(Disassembly.ordinal(List.of(gdb), 0x1148)).as("return - 1").hasValue("call 1");
    assertThat(Disassembly.ordinal(List.of(gdb), 0x1149)).hasValue("flush 1");
    assertThat(Disassembly.ordinal(List.of(gdb), 0x114d)).hasValue("store 3");
    assertThat(Disassembly.ordinal(List.of("No function contains 0x1"), 1)).isEmpty();
  }

  @Test
  void withoutSourceFileClassAndParametersShouldCount() {
    assertThat(place(new StackFrame("put.isra.0", "/gone/a/x.c", 3, "map", "0x10")))
        .isEqualTo("put in x.c of map: 0x10");
    assertThat(place(new StackFrame("A::put(B*)", "", 0, "map", "0x10")))
        .isEqualTo("A::put(B*) in map: 0x10");
  }

  @Test
  void withoutSourceTheFileShouldTellFindingsApart() {
    StackFrame runtime = new StackFrame("runtime_write", "", 0, "perl", "0x10");
    assertThat(written(runtime, "log"))
        .isEqualTo(written(runtime, "log"))
        .isNotEqualTo(written(runtime, "check.new"));
    StackFrame known = new StackFrame("put", "/gone/a/x.c", 3, "map", "0x10");
    assertThat(written(known, "pool->used")).isEqualTo(written(known, ""));
  }

  private static String written(StackFrame frame, String variable) {
    ImageStore store = new ImageStore("pool", 0, 8, "00", List.of(frame));
    return of(
        List.of(
            new JudgedState.Store(
                store, 1, JudgedState.Missing.FLUSH, JudgedState.Role.CAUSE, variable)),
        List.of());
  }

  @Test
  void gdbShouldTellTheOrdinal() {
    Path gdb = Path.of("/bin/true");
    assertThat(new Disassembly().ordinal(Path.of("/no/such/file"), 1)).isEmpty();
    assertThat(new Disassembly().ordinal(gdb, 1)).isEmpty();
  }
}
