package io.quotatree.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The words in which {@link ArchitectureTest} states its rules. */
final class ArchitectureConditions {

  /** Types whose instances tell the time. */
  static final DescribedPredicate<JavaClass> CLOCK =
      describe(
          "clocks",
          type ->
              type.isAssignableTo(Clock.class)
                  || type.isAssignableTo("io.quotatree.core.time.Ticker"));

  private static final Set<String> FLOATING =
      Set.of("double", "float", Double.class.getName(), Float.class.getName());

  /** Methods that wait, of the type named and of its subtypes. */
  private static final Map<String, Set<String>> BLOCKING =
      Map.of(
          Thread.class.getName(),
          Set.of("sleep", "join"),
          Future.class.getName(),
          Set.of("get", "join"),
          CountDownLatch.class.getName(),
          Set.of("await"),
          CyclicBarrier.class.getName(),
          Set.of("await"),
          Semaphore.class.getName(),
          Set.of("acquire", "acquireUninterruptibly"),
          BlockingQueue.class.getName(),
          Set.of("take", "put"),
          ExecutorService.class.getName(),
          Set.of("awaitTermination", "invokeAll", "invokeAny"),
          "java.net.http.HttpClient",
          Set.of("send"),
          "io.vertx.core.Future",
          Set.of("await"));

  private ArchitectureConditions() {}

  static ArchCondition<JavaClass> readAClock() {
    return call("read a clock", ArchitectureConditions::readsAClock);
  }

  static ArchCondition<JavaClass> block() {
    return call("block", ArchitectureConditions::blocks);
  }

  /** Sees fields, signatures and calls; a local variable that none of them feeds escapes it. */
  static ArchCondition<JavaClass> useFloatingPoint() {
    ArchCondition<JavaClass> declare =
        new ArchCondition<>("declare floating point") {
          @Override
          public void check(JavaClass type, ConditionEvents events) {
            type.getMembers().stream()
                .filter(member -> signatureOf(member).anyMatch(ArchitectureConditions::isFloating))
                .map(member -> member.getDescription() + " is floating")
                .forEach(what -> events.add(SimpleConditionEvent.satisfied(type, what)));
          }
        };
    return declare.or(
        call(
            "call floating point",
            target ->
                Stream.concat(
                        Stream.of(target.getOwner(), target.getRawReturnType()),
                        target.getRawParameterTypes().stream())
                    .anyMatch(ArchitectureConditions::isFloating)));
  }

  /** Holds when all that a user of the class can see is primitive or of the given packages. */
  static ArchCondition<JavaClass> showOnlyTypesIn(String... packages) {
    DescribedPredicate<JavaClass> known = resideInAnyPackage(packages);
    return new ArchCondition<>("show only types in " + String.join(", ", packages)) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (!isVisible(type)) {
          return;
        }
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
            .flatMap(parent -> parent.getAllInvolvedRawTypes().stream())
            .forEach(shown -> examine(shown, type.getDescription(), type, events));
        type.getMembers().stream()
            .filter(member -> isOpen(member.getModifiers()))
            .forEach(
                member ->
                    signatureOf(member)
                        .forEach(shown -> examine(shown, member.getDescription(), type, events)));
      }

      private void examine(JavaClass shown, String place, JavaClass type, ConditionEvents events) {
        JavaClass element = shown.getBaseComponentType();
        if (!element.isPrimitive() && !known.test(element)) {
          events.add(
              SimpleConditionEvent.violated(type, place + " shows " + element.getFullName()));
        }
      }
    };
  }

  /** Abstract classes of the testkit are left out: its contracts are there to be extended. */
  static ArchCondition<JavaClass> beClosedToSubclassesOfOthers() {
    return new ArchCondition<>("be final, sealed, a record, an enum or an interface") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        boolean contract =
            type.getModifiers().contains(ABSTRACT)
                && type.getPackageName().startsWith("io.quotatree.testkit");
        boolean closed =
            type.getModifiers().contains(FINAL)
                || type.isInterface()
                || type.isEnum()
                || type.reflect().isSealed();
        if (isVisible(type) && !closed && !contract) {
          events.add(
              SimpleConditionEvent.violated(
                  type, type.getDescription() + " can be extended by anybody"));
        }
      }
    };
  }

  private static ArchCondition<JavaClass> call(
      String description, Predicate<CodeUnitAccessTarget> matching) {
    return new ArchCondition<>(description) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        type.getCodeUnitAccessesFromSelf().stream()
            .filter(access -> matching.test(access.getTarget()))
            .map(access -> SimpleConditionEvent.satisfied(type, access.getDescription()))
            .forEach(events::add);
      }
    };
  }

  private static boolean readsAClock(CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    String name = target.getName();
    if (owner.isEquivalentTo(System.class)) {
      return name.equals("nanoTime") || name.equals("currentTimeMillis");
    }
    if (owner.isEquivalentTo(Date.class)) {
      return name.equals("<init>") && target.getRawParameterTypes().isEmpty();
    }
    if (owner.isAssignableTo(Calendar.class)) {
      return name.equals("getInstance") || name.equals("<init>");
    }
    return owner.isAssignableTo(Clock.class)
        || (owner.getPackageName().startsWith("java.time") && name.equals("now"));
  }

  private static boolean blocks(CodeUnitAccessTarget target) {
    String name = target.getName();
    if (name.equals("wait")) {
      // Only Object has these: they are final, so whoever is called by such a name waits.
      return Set.of("", "long", "long,int").contains(parameterNames(target));
    }
    return BLOCKING.entrySet().stream()
        .anyMatch(
            entry ->
                entry.getValue().contains(name)
                    && target.getOwner().isAssignableTo(entry.getKey()));
  }

  private static String parameterNames(CodeUnitAccessTarget target) {
    List<String> names =
        target.getRawParameterTypes().stream().map(JavaClass::getFullName).toList();
    return String.join(",", names);
  }

  private static Stream<JavaClass> signatureOf(JavaMember member) {
    Stream<JavaClass> thrown =
        member instanceof JavaCodeUnit unit ? unit.getExceptionTypes().stream() : Stream.empty();
    return Stream.concat(member.getAllInvolvedRawTypes().stream(), thrown);
  }

  private static boolean isFloating(JavaClass type) {
    return FLOATING.contains(type.getBaseComponentType().getFullName());
  }

  private static boolean isVisible(JavaClass type) {
    return isOpen(type.getModifiers())
        && type.getEnclosingClass().map(ArchitectureConditions::isVisible).orElse(true);
  }

  private static boolean isOpen(Set<JavaModifier> modifiers) {
    return (modifiers.contains(PUBLIC) || modifiers.contains(PROTECTED))
        && !modifiers.contains(SYNTHETIC);
  }
}
