// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

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
 * The layers of the runtime: imports go down, never up, and never sideways from row 3 on. Each package has a row. The
 * rooms of a package, such as {@code pool.scheduling} in {@code pool}, share its row and may know each other one way.
 */
@AnalyzeClasses(packages = "io.fiber.runtime", importOptions = DoNotIncludeTests.class)
final class LayersTest {
    private static final String ROOT = "io.fiber.runtime.";

    /** From the lowest row to the highest. */
    private static final List<Set<String>> ROWS = List.of(
            Set.of("config", "discovery", "logging", "platform", "telemetry"),
            Set.of("protocol", "protocol.codec", "security", "serialization", "serialization.functions"),
            Set.of("eventloop", "channel", "journal"),
            Set.of("rpc"),
            Set.of("process", "worker", "pipe"),
            Set.of(
                    "pool",
                    "pool.progress",
                    "pool.scheduling",
                    "shared",
                    "shared.managers",
                    "shared.host",
                    "shared.machines",
                    "collective",
                    "broadcast",
                    "classloading",
                    "remotejobs"),
            Set.of("session"),
            Set.of("worker.main"));

    /** In these, packages may know each other, one the other. */
    private static final int SIDEWAYS_BELOW = 3;

    @ArchTest
    static final ArchRule importsGoDown = classes().should(importFromLowerRowsOnly());

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
        return targetRow < row
                || (targetRow == row && (row < SIDEWAYS_BELOW || room(from).equals(room(to))));
    }

    /** Returns the package of the runtime that contains the class's package or is it. */
    private static String room(JavaClass type) {
        return name(type).replaceFirst("\\..*", "");
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
