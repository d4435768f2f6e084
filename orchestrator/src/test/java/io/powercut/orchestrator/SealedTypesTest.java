// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A method that asks for two kinds of a sealed type has a case for all others, and nobody is told
 * when one more comes. So the type has a method, or a visitor without defaults. To ask for one kind
 * is fine.
 */
class SealedTypesTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.powercut");

  private record Chain(String method, String type, Set<String> kinds) {}

  @Test
  void noMethodShouldAskForSeveralKindsOfASealedType() {
    Map<String, String> types = sealedTypes();
    List<Chain> chains = new ArrayList<>();
    for (JavaClass one : CLASSES) {
      for (JavaCodeUnit method : one.getCodeUnits()) {
        kinds(method, types).entrySet().stream()
            .filter(asked -> asked.getValue().size() > 1)
            .map(asked -> new Chain(method.getFullName(), asked.getKey(), asked.getValue()))
            .forEach(chains::add);
      }
    }

    assertThat(types.values()).contains("io.powercut.trace.TraceEvent");
    assertThat(chains).isEmpty();
  }

  /** By sealed type, the kinds of it that a method asks for. */
  private static Map<String, Set<String>> kinds(JavaCodeUnit method, Map<String, String> types) {
    return method.getInstanceofChecks().stream()
        .map(InstanceofCheck::getRawType)
        .map(JavaClass::getName)
        .filter(types::containsKey)
        .collect(groupingBy(types::get, mapping(kind -> kind, toCollection(TreeSet::new))));
  }

  /** By each kind, however far below, its sealed type. */
  private static Map<String, String> sealedTypes() {
    Map<String, String> types = new HashMap<>();
    for (JavaClass one : CLASSES) {
      Class<?> type = one.reflect();
      if (type.isSealed() && Stream.of(type.getInterfaces()).noneMatch(Class::isSealed)) {
        Deque<Class<?>> open = new ArrayDeque<>(Arrays.asList(type.getPermittedSubclasses()));
        while (!open.isEmpty()) {
          Class<?> kind = open.remove();
          types.put(kind.getName(), type.getName());
          if (kind.isSealed()) {
            open.addAll(Arrays.asList(kind.getPermittedSubclasses()));
          }
        }
      }
    }
    return types;
  }
}
