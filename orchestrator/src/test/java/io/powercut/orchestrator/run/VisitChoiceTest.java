package io.powercut.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.campaign.OccurrencesSection;
import io.powercut.orchestrator.results.Visit;
import io.powercut.tree.FailurePointId;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VisitChoiceTest {
  private static final FailurePointId OFTEN = new FailurePointId(1);
  private static final FailurePointId ONCE = new FailurePointId(2);

  private static VisitChoice counted(OccurrencesSection wanted) {
    VisitChoice choice = new VisitChoice(wanted);
    for (int visit = 0; visit < 10; visit++) {
      choice.count(OFTEN);
    }
    choice.count(ONCE);
    return choice;
  }

  private static Set<Long> numbers(Set<Visit> visits, FailurePointId id) {
    return visits.stream()
        .filter(visit -> visit.id().equals(id))
        .map(Visit::number)
        .collect(Collectors.toSet());
  }

  @Test
  void lastVisitsShouldNotRepeatTheFirstOnes() {
    Set<Visit> later = counted(new OccurrencesSection(1, 2, 0, 1)).later();

    assertThat(numbers(later, OFTEN)).containsExactlyInAnyOrder(9L, 10L);
    assertThat(numbers(later, ONCE)).isEmpty();
  }

  @Test
  void randomVisitsShouldComeFromBetweenAndBeTheSameForTheSameSeed() {
    Set<Visit> later = counted(new OccurrencesSection(1, 1, 3, 7)).later();

    assertThat(numbers(later, OFTEN)).hasSize(4).contains(10L).doesNotContain(1L);
    assertThat(counted(new OccurrencesSection(1, 1, 3, 7)).later()).isEqualTo(later);
  }

  @Test
  void moreRandomVisitsThanThereAreShouldBeAllOfThem() {
    assertThat(numbers(counted(new OccurrencesSection(0, 0, 50, 7)).later(), OFTEN)).hasSize(10);
  }

  @Test
  void onlyTheFirstVisitsShouldBeJudgedAtOnce() {
    VisitChoice choice = new VisitChoice(new OccurrencesSection(2, 0, 0, 1));

    assertThat(choice.isFirst(choice.count(OFTEN))).isTrue();
    assertThat(choice.isFirst(choice.count(OFTEN))).isTrue();
    assertThat(choice.isFirst(choice.count(OFTEN))).isFalse();
  }
}
