// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fiber.tck.BackendTck;
import io.fiber.tck.Clause;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The main class of the JVM that runs tests as the user of a cluster: a line on standard output for each result. */
public final class KitRun {

    static final String MARK = "\u0001result ";

    /** Which tests are run; {@link Part#GATE} when nothing is said. */
    static final String PART = "kit.part";

    /** Tests by their tags. */
    enum Part {
        /** All but the long ones. */
        GATE,
        /** Of these, those that wait for a minute and need nothing of the machine. */
        WAITING,
        /** The others of them, but for those that let nothing run beside them. */
        WORKING,
        /** All but the long ones and those of the backend's contract that may run beside others. */
        ALONE,
        /** The long ones. */
        SOAK;

        PostDiscoveryFilter filter() {
            return switch (this) {
                case GATE -> TagFilter.excludeTags("soak");
                case WAITING -> TagFilter.includeTags(Clause.WAITS);
                case WORKING -> TagFilter.excludeTags("soak", Clause.WAITS, Clause.DISTURBS);
                case ALONE -> test -> FilterResult.includedIf(isOfPartAlone(test));
                case SOAK -> TagFilter.includeTags("soak");
            };
        }
    }

    private static boolean isOfPartAlone(TestDescriptor test) {
        boolean isOfTheBackend = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getJavaMethod().getAnnotation(Clause.class))
                .filter(clause -> clause.id().startsWith("BKD-"))
                .isPresent();
        return !test.getTags().contains(TestTag.create("soak"))
                && (!isOfTheBackend || test.getTags().contains(TestTag.create(Clause.DISTURBS)));
    }

    /** Names of the tests of contracts that are run; all of them when there is none. */
    static final String ONLY = "kit.only";

    private KitRun() {}

    /** Runs the test classes of these names. */
    public static void main(String[] classes) {
        PrintStream out = System.out;
        List<String> only = List.of(System.getProperty(ONLY, "").split(",", -1));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes)
                        .<DiscoverySelector>map(name -> selectClass(name))
                        .toList())
                .filters(
                        Part.valueOf(System.getProperty(PART, Part.GATE.name())).filter())
                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(isWanted(test, only)))
                .configurationParameter("junit.jupiter.execution.timeout.default", "200 s")
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getStatus() == TestExecutionResult.Status.FAILED) {
                    String text = result.getThrowable().map(KitRun::text).orElse("");
                    out.println(MARK + result.getStatus() + " " + encoded(name(test)) + " " + encoded(text));
                }
            }
        });
        System.exit(0);
    }

    private static boolean isWanted(TestDescriptor test, List<String> only) {
        return only.equals(List.of(""))
                || !(test.getSource().orElse(null) instanceof MethodSource method)
                || !method.getJavaMethod().getDeclaringClass().getPackage().equals(BackendTck.class.getPackage())
                || only.contains(method.getMethodName());
    }

    private static String name(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        String owner = source instanceof MethodSource method ? simpleName(method.getClassName()) + "." : "";
        String kit = test.getUniqueIdObject().getSegments().stream()
                .filter(segment -> segment.getType().equals("class"))
                .map(segment -> simpleName(segment.getValue()) + ".")
                .findFirst()
                .orElse("");
        return (owner.equals(kit) ? "" : kit) + owner + test.getDisplayName();
    }

    private static String simpleName(String className) {
        return className.replaceAll(".*[.$]", "");
    }

    private static String text(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static String encoded(String text) {
        // A word of its own also when it is empty.
        return "." + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
