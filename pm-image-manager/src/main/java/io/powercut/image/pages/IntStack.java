// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import java.util.Arrays;

/** Numbers without boxes; the last one pushed comes first. */
final class IntStack {
  private int[] values = new int[16];
  private int size;

  void push(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  int pop() {
    return values[--size];
  }

  int get(int index) {
    return values[index];
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void clear() {
    size = 0;
  }
}
