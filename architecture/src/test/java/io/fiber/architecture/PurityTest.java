// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;

/**
 * The state machines are pure: events and the time come in, effects go out. So a test drives them through any order of
 * faults in a time of its own. Pure code names no thread, clock, {@code System}, file, socket, codec, buffer, event loop or
 * flight recorder. It may name a payload, which it passes on and does not open, and a call of {@code rpc}, which it answers.
 *
 * <p>A breach looks like this, in a class of a pure package:
 *
 * <pre>{@code
 * long nowNs = System.nanoTime();                         // the time is a parameter of the event
 * codecs.assign.wrapAndApplyHeader(buffer, offset, ...);  // the driver encodes
 * conductor.execute(() -> machine.onCall(call));          // the driver schedules
 * }</pre>
 *
 * <p>It is reported as {@code Method <...Dispatcher.handOut(long)> calls method <java.lang.System.nanoTime()>}. Mend it
 * by an event that brings the value, or by a method of the effects. To make another package or class pure, add it below.
 */
@AnalyzeClasses(packages = "io.fiber.runtime", importOptions = DoNotIncludeTests.class)
final class PurityTest {
    private static final String ROOT = "io.fiber.runtime.";

    /** Packages of which all classes are pure, and single classes, with their nested ones. */
    private static final List<String> PURE = List.of("pool.scheduling", "process.ProcessMachine", "shared.machines");

    private static final Set<String> FORBIDDEN_CLASSES =
            Set.of("java.lang.System", "java.lang.Runtime", "java.lang.Process", "java.time.Clock", "java.util.Timer");

    private static final Set<String> FORBIDDEN_PACKAGES = Set.of(
            "java.io",
            "java.net",
            "java.nio",
            "jdk.jfr",
            "sun",
            "org.agrona.concurrent",
            "org.agrona.sbe",
            ROOT + "channel",
            ROOT + "eventloop",
            ROOT + "protocol.codec",
            ROOT + "telemetry");

    /** The only classes of {@code java.util.concurrent} that are data. */
    private static final Set<String> CONCURRENT_DATA =
            Set.of("java.util.concurrent.CancellationException", "java.util.concurrent.TimeUnit");

    @ArchTest
    static final ArchRule pureCodeNamesNothingOfTheWorld =
            noClasses().that(describe("are pure", PurityTest::isPure)).should().dependOnClassesThat(world());

    @ArchTest
    static final ArchRule pureCodeReadsNoClock = noClasses()
            .that(describe("are pure", PurityTest::isPure))
            .should()
            .callMethodWhere(describe("the time is read", PurityTest::isClock));

    /** A name that no class has would make the rules above hold for nothing. */
    @ArchTest
    static void whatIsListedExists(JavaClasses all) {
        for (String name : PURE) {
            if (all.stream().noneMatch(type -> isIn(type.getName(), ROOT + name))) {
                throw new AssertionError("No class is or lies in " + ROOT + name + ": correct PURE.");
            }
        }
    }

    private static boolean isPure(JavaClass type) {
        return PURE.stream().anyMatch(name -> isIn(type.getName(), ROOT + name));
    }

    private static boolean isIn(String type, String name) {
        return type.equals(name) || type.startsWith(name + ".") || type.startsWith(name + "$");
    }

    private static DescribedPredicate<JavaClass> world() {
        return describe("are of the world around", each -> {
            String type = each.getBaseComponentType().getName();
            return FORBIDDEN_CLASSES.stream().anyMatch(name -> isIn(type, name))
                    || FORBIDDEN_PACKAGES.stream().anyMatch(name -> isIn(type, name))
                    || type.startsWith("java.lang.Thread")
                    || isBuffer(type)
                    || isConcurrent(type);
        });
    }

    private static boolean isBuffer(String type) {
        return type.startsWith("org.agrona.") && type.endsWith("Buffer");
    }

    private static boolean isConcurrent(String type) {
        return type.startsWith("java.util.concurrent.")
                && !type.startsWith("java.util.concurrent.atomic.")
                && CONCURRENT_DATA.stream().noneMatch(name -> isIn(type, name));
    }

    private static boolean isClock(JavaAccess<?> call) {
        return call.getTargetOwner().getPackageName().equals("java.time")
                && call.getTarget().getName().equals("now");
    }
}
