// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The main class of a JVM that runs some tests of a project that is no module of this build. */
final class KitRun {

    private KitRun() {}

    /** Takes test classes, and groups of a kit as {@code Class/Group}; prints each failure and ends with their number. */
    public static void main(String[] arguments) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String argument : arguments) {
            String[] parts = argument.split("/", 2);
            selectors.add(
                    parts.length == 1
                            ? selectClass(parts[0])
                            : selectNestedClass(List.of(parts[0]), "io.fiber.tck.backend.BackendTck$" + parts[1]));
        }
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectors)
                                .build(),
                        summary);
        summary.getSummary()
                .getFailures()
                .forEach(failure -> System.out.println(failure.getException().getMessage()));
        System.out.println(summary.getSummary().getTestsSucceededCount() + " tests passed.");
        System.exit((int) summary.getSummary().getTotalFailureCount());
    }
}
