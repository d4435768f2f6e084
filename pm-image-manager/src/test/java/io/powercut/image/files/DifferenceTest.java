// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DifferenceTest {
  private static final Path POOL = Path.of("pool");

  /** The name of the method that was called, and what it was given. */
  private static final class Visited implements Difference.Visitor {
    private final List<Difference> all = new ArrayList<>();

    private void add(String kind, Difference difference) {
      assertThat(difference.getClass().getSimpleName()).isEqualTo(kind);
      all.add(difference);
    }

    @Override
    public void visit(Difference.OnlyInFirst difference) {
      add("OnlyInFirst", difference);
    }

    @Override
    public void visit(Difference.OnlyInSecond difference) {
      add("OnlyInSecond", difference);
    }

    @Override
    public void visit(Difference.KindDiffers difference) {
      add("KindDiffers", difference);
    }

    @Override
    public void visit(Difference.AttributesDiffer difference) {
      add("AttributesDiffer", difference);
    }

    @Override
    public void visit(Difference.NamesDiffer difference) {
      add("NamesDiffer", difference);
    }

    @Override
    public void visit(Difference.SizeDiffers difference) {
      add("SizeDiffers", difference);
    }

    @Override
    public void visit(Difference.BytesDiffer difference) {
      add("BytesDiffer", difference);
    }
  }

  @Test
  void eachKindShouldSayWhatDiffersAndWhere() {
    Visited visited = new Visited();
    List<Difference> all =
        List.of(
            new Difference.OnlyInFirst(POOL),
            new Difference.OnlyInSecond(POOL),
            new Difference.KindDiffers(POOL, "file", "directory"),
            new Difference.AttributesDiffer(Path.of(""), "mode 0644", "mode 0600"),
            new Difference.AttributesDiffer(POOL, "mode 0644", "mode 0600"),
            new Difference.NamesDiffer(POOL, "pool, other", "pool"),
            new Difference.SizeDiffers(POOL, 10, 20),
            Difference.BytesDiffer.of(POOL, 31, new byte[] {1}, new byte[] {(byte) 0xfe}));

    all.forEach(difference -> difference.accept(visited));

    assertThat(visited.all).isEqualTo(all);
    assertThat(all)
        .extracting(Difference::describe)
        .containsExactly(
            "pool is in the first only",
            "pool is in the second only",
            "pool is a file in the first, a directory in the second",
            "the directory itself has mode 0644 in the first, mode 0600 in the second",
            "pool has mode 0644 in the first, mode 0600 in the second",
            "pool is one file with the names pool, other in the first, pool in the second",
            "pool has 10 bytes in the first, 20 in the second",
            "pool differs from offset 0x1f: 01 in the first, fe in the second");
  }
}
