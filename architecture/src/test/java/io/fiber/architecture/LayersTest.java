// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The layers of the runtime: imports go down, never up, and never sideways from row 3 on. Each package has a row. A package
 * shares its row with the rooms inside it, such as {@code pool} with {@code pool.scheduling}: from row 3 on it may import
 * them, and they may not import it.
 */
@AnalyzeClasses(packages = "io.fiber.runtime", importOptions = DoNotIncludeTests.class)
final class LayersTest {
    private static final String ROOT = "io.fiber.runtime.";

    /** From the lowest row to the highest. */
    private static final List<Set<String>> ROWS = List.of(
            Set.of("config", "discovery", "logging", "platform", "telemetry"),
            Set.of("protocol", "protocol.codec", "security", "serialization"),
            Set.of("eventloop", "channel"),
            Set.of("rpc"),
            Set.of("process", "worker", "pipe"),
            Set.of("pool", "pool.scheduling", "shared", "collective", "broadcast", "classloading", "remotejobs"),
            Set.of("session"),
            Set.of("worker.main"));

    /** In these, packages may know each other, one the other. */
    private static final int SIDEWAYS_BELOW = 3;

    @ArchTest
    static final ArchRule importsGoDown = classes().should(importFromLowerRowsOnly());

    /** Rows above cannot have any, as their packages do not know each other. */
    @ArchTest
    static final ArchRule lowRowsHaveNoCycles = slices().matching(ROOT + "(*)..")
            .namingSlices("$1")
            .that(describe("are in a row below " + SIDEWAYS_BELOW, slice -> row(slice.getNamePart(1)) < SIDEWAYS_BELOW))
            .should()
            .beFreeOfCycles();

    private static ArchCondition<JavaClass> importFromLowerRowsOnly() {
        return new ArchCondition<>("import from lower rows only") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                Set<String> found = new TreeSet<>();
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (target.getPackageName().startsWith(ROOT) && !mayImport(type, target)) {
                        found.add(
                                type.getName() + " imports " + target.getName().replaceFirst("\\$.*", ""));
                    }
                }
                found.forEach(line -> events.add(SimpleConditionEvent.violated(type, line)));
            }
        };
    }

    private static boolean mayImport(JavaClass from, JavaClass to) {
        int row = row(name(from));
        int targetRow = row(name(to));
        boolean isInside = targetRow == row && name(to).startsWith(name(from) + ".");
        return name(from).equals(name(to)) || targetRow < row || isInside || (targetRow == row && row < SIDEWAYS_BELOW);
    }

    private static String name(JavaClass type) {
        return type.getPackageName().substring(ROOT.length());
    }

    private static int row(String name) {
        for (int row = 0; row < ROWS.size(); row++) {
            if (ROWS.get(row).contains(name)) {
                return row;
            }
        }
        throw new AssertionError("The package " + ROOT + name + " has no row: give it one here.");
    }
}
