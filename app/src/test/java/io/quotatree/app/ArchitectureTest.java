package io.quotatree.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.quotatree.app.ArchitectureConditions.CLOCK;
import static io.quotatree.app.ArchitectureConditions.beClosedToSubclassesOfOthers;
import static io.quotatree.app.ArchitectureConditions.block;
import static io.quotatree.app.ArchitectureConditions.readAClock;
import static io.quotatree.app.ArchitectureConditions.showOnlyTypesIn;
import static io.quotatree.app.ArchitectureConditions.useFloatingPoint;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.Serializable;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The shape of the code: which module and which package may see which, and what some of them never
 * do.
 *
 * <p>A rule about a package without code holds by itself, and begins to bite with its first class.
 */
@AnalyzeClasses(packages = "io.quotatree", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

  /**
   * Each module and what it may see besides itself; {@code app} sees everything but the testkit.
   */
  private static final Map<String, Set<String>> ARROWS =
      Map.of(
          "core", Set.of(),
          "testkit", Set.of("core"),
          "quotafile", Set.of("core"),
          "http", Set.of("core"),
          "observe", Set.of("core"),
          "redis", Set.of("core"),
          "scenario", Set.of("core", "quotafile"),
          "cli", Set.of("core", "quotafile", "scenario"),
          "gateway", Set.of("core", "quotafile", "http", "observe"),
          "app",
              Set.of(
                  "core", "quotafile", "scenario", "http", "observe", "redis", "gateway", "cli"));

  /** The packages of the core from the ground up: a row may see itself and the rows before it. */
  private static final List<Set<String>> CORE_ROWS =
      List.of(
          Set.of("time", "limit"),
          Set.of("algorithm"),
          Set.of("policy", "ledger"),
          Set.of("memory", "memo", "ticket", "waiting", "motion"),
          Set.of("engine"));

  @ArchTest
  static void every_class_belongs_to_a_module_that_has_its_arrows_here(JavaClasses code) {
    classes().should().resideInAnyPackage(trees("io.quotatree.", ARROWS.keySet())).check(code);
  }

  @ArchTest
  static void a_module_sees_only_those_its_arrows_lead_to(JavaClasses code) {
    ARROWS.forEach(
        (module, seen) ->
            noClasses()
                .that()
                .resideInAPackage("io.quotatree." + module + "..")
                .should()
                .dependOnClassesThat(
                    resideInAPackage("io.quotatree..")
                        .and(resideOutsideOfPackages(trees("io.quotatree.", with(seen, module)))))
                .allowEmptyShould(true)
                .check(code));
  }

  @ArchTest
  static void a_package_of_the_core_sees_only_its_own_row_and_those_below(JavaClasses code) {
    Set<String> seen = new HashSet<>();
    for (Set<String> row : CORE_ROWS) {
      seen.addAll(row);
      noClasses()
          .that()
          .resideInAnyPackage(trees("io.quotatree.core.", row))
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.quotatree.core..")
                  .and(resideOutsideOfPackages(trees("io.quotatree.core.", seen))))
          .allowEmptyShould(true)
          .check(code);
    }
    noClasses()
        .that()
        .resideOutsideOfPackages(trees("io.quotatree.core.", seen))
        .should()
        .resideInAPackage("io.quotatree.core.*..")
        .as("every package of the core stands in a row of this test")
        .check(code);
  }

  @ArchTest
  static void only_who_must_make_a_ledger_names_its_implementation(JavaClasses code) {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.quotatree.core.memory..",
            "io.quotatree.testkit..",
            "io.quotatree.scenario..",
            "io.quotatree.cli..",
            "io.quotatree.app..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.quotatree.core.memory..")
        .allowEmptyShould(true)
        .check(code);
  }

  @ArchTest
  static void the_core_knows_the_jdk_alone(JavaClasses code) {
    classes()
        .that()
        .resideInAPackage("io.quotatree.core..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.jspecify.annotations..", "io.quotatree.core..")
        .check(code);
  }

  @ArchTest
  static void packages_form_no_cycle(JavaClasses code) {
    slices().matching("io.quotatree.(**)").should().beFreeOfCycles().check(code);
  }

  @ArchTest
  static void an_algorithm_touches_no_clock_and_no_shared_memory_and_no_file(JavaClasses code) {
    noClasses()
        .that()
        .resideInAPackage("io.quotatree.core.algorithm..")
        .should()
        .dependOnClassesThat(
            CLOCK
                .or(
                    resideInAnyPackage(
                        "java.util.concurrent..",
                        "java.nio..",
                        "java.net..",
                        "java.util.logging.."))
                .or(resideInAPackage("java.io..").and(not(type(Serializable.class))))
                .or(type(VarHandle.class)))
        .allowEmptyShould(true)
        .check(code);
  }

  @ArchTest
  static void an_algorithm_counts_in_whole_numbers(JavaClasses code) {
    noClasses()
        .that()
        .resideInAPackage("io.quotatree.core.algorithm..")
        .should(useFloatingPoint())
        .allowEmptyShould(true)
        .check(code);
  }

  @ArchTest
  static void only_the_time_package_reads_a_clock(JavaClasses code) {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.quotatree.core.time..")
        .should(readAClock())
        .check(code);
  }

  @ArchTest
  static void redis_knows_its_client_library_where_its_servers_are_alone(JavaClasses code) {
    noClasses()
        .that()
        .resideInAPackage("io.quotatree.redis..")
        .and()
        .resideOutsideOfPackage("io.quotatree.redis.servers..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.lettuce..", "io.netty..")
        .check(code);
  }

  @ArchTest
  static void quotafile_http_and_redis_show_no_type_of_a_third_party(JavaClasses code) {
    classes()
        .that()
        .resideInAnyPackage(
            "io.quotatree.quotafile..", "io.quotatree.http..", "io.quotatree.redis..")
        .should(showOnlyTypesIn("java..", "org.jspecify.annotations..", "io.quotatree.."))
        .check(code);
  }

  @ArchTest
  static void a_public_class_is_closed(JavaClasses code) {
    classes().that().arePublic().should(beClosedToSubclassesOfOthers()).check(code);
  }

  @ArchTest
  static void nothing_on_an_event_loop_blocks(JavaClasses code) {
    noClasses()
        .that()
        .resideInAPackage("io.quotatree.gateway..")
        .and()
        .resideOutsideOfPackage("io.quotatree.gateway.server..")
        .should(block())
        .check(code);
  }

  private static String[] trees(String parent, Collection<String> packages) {
    return packages.stream().map(name -> parent + name + "..").toArray(String[]::new);
  }

  private static Set<String> with(Set<String> names, String another) {
    Set<String> all = new HashSet<>(names);
    all.add(another);
    return all;
  }
}
