package io.quotatree.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

/** The arrows of this module, which the tests of the runnable jar do not reach. */
@AnalyzeClasses(
    packages = "io.quotatree.bench",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArrowsTest {

  @ArchTest
  static void the_bench_sees_the_ledgers_and_real_programs_alone(JavaClasses code) {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.quotatree..")
                .and(
                    resideOutsideOfPackages(
                        "io.quotatree.core..",
                        "io.quotatree.bench..",
                        "io.quotatree.redis..",
                        "io.quotatree.testkit.programs..",
                        "io.quotatree.testkit.store..")))
        .check(code);
  }

  @ArchTest
  static void only_what_measures_the_shared_ledger_knows_it(JavaClasses code) {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.quotatree.bench.redis..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.quotatree.redis..", "io.quotatree.testkit.store..")
        .check(code);
  }

  @ArchTest
  static void packages_form_no_cycle(JavaClasses code) {
    slices().matching("io.quotatree.bench.(*)..").should().beFreeOfCycles().check(code);
  }
}
