// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import io.fiber.tck.clause.Clause;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The main class of a JVM that runs tests where a cluster can be reached. Standard output has a line for each result,
 * which {@link KitResult#read} understands, among what the tests print themselves.
 *
 * <p>Its arguments are names of test classes, or {@code class/group} for one group of a contract: {@code
 * com.example.MyKit/io.fiber.tck.backend.BackendTck$Events}.
 */
public final class KitRun {

    /** The system property with the {@link Part} of the tests to run; {@link Part#GATE} by default. */
    public static final String PART = "kit.part";

    private static final String LONG = "soak";

    /** Tests by their tags. */
    public enum Part {
        /** All except the long ones, which have the tag {@code soak}. */
        GATE,
        /** The tests of the gate that wait for a minute and need nothing of the machine. */
        WAITING,
        /** The other tests of the gate, except those that let no other test run at the same time. */
        WORKING,
        /** All except the long ones and the contract's tests that may run at the same time as others. */
        ALONE,
        /** The long ones. */
        SOAK;

        private PostDiscoveryFilter filter() {
            return switch (this) {
                case GATE -> TagFilter.excludeTags(LONG);
                case WAITING -> TagFilter.includeTags(Clause.WAITS + " & !" + LONG);
                case WORKING -> TagFilter.excludeTags(LONG, Clause.WAITS, Clause.DISTURBS);
                case ALONE -> test -> FilterResult.includedIf(isOfPartAlone(test));
                case SOAK -> TagFilter.includeTags(LONG);
            };
        }

        /** Returns the option of a JVM that runs this part. */
        public String option() {
            return "-D" + PART + "=" + this;
        }
    }

    private KitRun() {}

    private static boolean isOfPartAlone(TestDescriptor test) {
        boolean isOfTheBackend = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getJavaMethod().getAnnotation(Clause.class))
                .filter(clause -> clause.id().startsWith("BKD-"))
                .isPresent();
        return !test.getTags().contains(TestTag.create(LONG))
                && (!isOfTheBackend || test.getTags().contains(TestTag.create(Clause.DISTURBS)));
    }

    /** Runs the test classes of these names and ends this JVM with 0, whatever the results. */
    public static void main(String[] classes) {
        PrintStream out = System.out;
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes).map(KitRun::selector).toList())
                .filters(
                        Part.valueOf(System.getProperty(PART, Part.GATE.name())).filter())
                .configurationParameter("junit.jupiter.execution.timeout.default", "10 m")
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                KitResult.Outcome outcome = switch (result.getStatus()) {
                    case SUCCESSFUL -> KitResult.Outcome.PASSED;
                    case ABORTED -> KitResult.Outcome.SKIPPED;
                    case FAILED -> KitResult.Outcome.FAILED;
                };
                if (test.isTest() || outcome == KitResult.Outcome.FAILED) {
                    out.println(KitResult.of(name(test), outcome, result.getThrowable())
                            .line());
                }
            }
        });
        System.exit(0);
    }

    private static DiscoverySelector selector(String name) {
        String[] parts = name.split("/", 2);
        return parts.length == 1 ? selectClass(name) : selectNestedClass(List.of(parts[0]), parts[1]);
    }

    /**
     * Returns the name with the kit's class first, because several kits of a backend run the same contract, and the
     * groups of the test.
     */
    private static String name(TestIdentifier test) {
        return test.getUniqueIdObject().getSegments().stream()
                        .filter(segment -> segment.getType().endsWith("class"))
                        .map(segment -> segment.getValue().replaceAll(".*[.$]", "") + ".")
                        .collect(Collectors.joining())
                + test.getDisplayName();
    }
}
