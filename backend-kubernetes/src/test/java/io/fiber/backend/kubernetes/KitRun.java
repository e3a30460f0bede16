// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The main class of the JVM that runs tests inside of the network namespace of the cluster: a line on standard output for each result. */
public final class KitRun {

    static final String MARK = "\u0001result ";

    /** Whether the long tests are run, and no others. */
    static final String SOAK = "kit.soak";

    private KitRun() {}

    /** Runs the test classes of these names, or a group of one: {@code class/group}. */
    public static void main(String[] classes) {
        PrintStream out = System.out;
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes).map(KitRun::selector).toList())
                .filters(Boolean.getBoolean(SOAK) ? TagFilter.includeTags("soak") : TagFilter.excludeTags("soak"))
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

    private static DiscoverySelector selector(String name) {
        String[] parts = name.split("/", 2);
        return parts.length == 1 ? selectClass(name) : selectNestedClass(List.of(parts[0]), parts[1]);
    }

    private static String name(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        String owner =
                source instanceof MethodSource method ? method.getClassName().replaceAll(".*[.$]", "") + "." : "";
        return owner + test.getDisplayName();
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
