package io.powercut.orchestrator;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Holds the table of modules: who may use whom. */
class ModuleTableTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.powercut");

  @Test
  void modulesShouldOnlyUseWhatTheTableAllows() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("io.powercut..")
        .layer("process-control")
        .definedBy("io.powercut.process..")
        .layer("failure-point-tree")
        .definedBy("io.powercut.tree..")
        .layer("instrumentation")
        .definedBy("io.powercut.instrumentation..")
        .layer("persistency-model")
        .definedBy("io.powercut.persistency..")
        .layer("pm-image-manager")
        .definedBy("io.powercut.image..")
        .layer("recovery-oracle")
        .definedBy("io.powercut.oracle..")
        .layer("trace-analysis")
        .definedBy("io.powercut.analysis..")
        .layer("orchestrator")
        .definedBy("io.powercut.orchestrator..")
        .whereLayer("process-control")
        .mayNotAccessAnyLayer()
        .whereLayer("failure-point-tree")
        .mayNotAccessAnyLayer()
        .whereLayer("instrumentation")
        .mayOnlyAccessLayers("process-control", "failure-point-tree")
        .whereLayer("persistency-model")
        .mayOnlyAccessLayers("instrumentation")
        .whereLayer("pm-image-manager")
        .mayOnlyAccessLayers("persistency-model", "instrumentation")
        .whereLayer("recovery-oracle")
        .mayOnlyAccessLayers("process-control")
        .whereLayer("trace-analysis")
        .mayOnlyAccessLayers("persistency-model", "instrumentation", "failure-point-tree")
        .whereLayer("orchestrator")
        .mayNotBeAccessedByAnyLayer()
        .check(CLASSES);
  }

  @Test
  void packagesShouldBeFreeOfCycles() {
    slices().matching("io.powercut.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
