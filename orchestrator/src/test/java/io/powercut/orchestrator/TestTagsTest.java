// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds what {@code ./test --fast} leaves out. */
class TestTagsTest {
  private static final String WORKBENCH = "io.powercut.orchestrator.it.Workbench";

  private static final ArchCondition<JavaClass> BE_TAGGED =
      new ArchCondition<>("have the tag campaign") {
        @Override
        public void check(JavaClass tested, ConditionEvents events) {
          boolean tagged =
              tested
                  .tryGetAnnotationOfType(Tag.class)
                  .map(tag -> tag.value().equals("campaign"))
                  .orElse(false);
          events.add(new SimpleConditionEvent(tested, tagged, tested.getName()));
        }
      };

  @Test
  void classesThatRunCampaignsShouldBeTagged() {
    classes()
        .that()
        .haveSimpleNameEndingWith("Test")
        .and(DescribedPredicate.describe("run campaigns", TestTagsTest::runsCampaigns))
        .should(BE_TAGGED)
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
                .importPackages("io.powercut.orchestrator"));
  }

  private static boolean runsCampaigns(JavaClass tested) {
    return tested.getDirectDependenciesFromSelf().stream()
        .anyMatch(one -> one.getTargetClass().getName().equals(WORKBENCH));
  }
}
