// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** All combinations of what each line may hold, the first line turning fastest. */
final class Odometer implements Iterator<CrashState> {
  private final List<InFlightLine> lines;
  private final long[] digits;
  private final List<Optional<LineDifference>> contents = new ArrayList<>();
  private boolean isOver;

  private Odometer(CrashStates states) {
    this.lines = states.lines();
    this.digits = new long[lines.size()];
    lines.forEach(line -> contents.add(line.content(0)));
  }

  /** All states but that of program order. */
  static Stream<CrashState> stream(CrashStates states) {
    int characteristics = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL;
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(new Odometer(states), characteristics), false)
        .filter(state -> !state.isProgramOrder());
  }

  @Override
  public boolean hasNext() {
    return !isOver;
  }

  @Override
  public CrashState next() {
    if (isOver) {
      throw new NoSuchElementException();
    }
    CrashState state = CrashState.of(contents.stream().flatMap(Optional::stream).toList());
    turn();
    return state;
  }

  private void turn() {
    int place = 0;
    while (place < digits.length && !turn(place)) {
      place++;
    }
    isOver = place == digits.length;
  }

  /** False if the place is at 0 again and the next one must turn. */
  private boolean turn(int place) {
    InFlightLine line = lines.get(place);
    boolean isAround = digits[place] + 1 == line.contents();
    digits[place] = isAround ? 0 : digits[place] + 1;
    contents.set(place, line.content(digits[place]));
    return !isAround;
  }
}
