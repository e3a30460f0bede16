// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import io.fiber.tck.backend.BackendTck;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;

/** For each bug of a backend: the kit fails at the clauses that the bug breaks, and at no other of those that are run. */
@Tag("soak")
final class BrokenBackendTest {

    private static Runs<BackendBug> runs;

    @BeforeAll
    static void begin() {
        runs = new Runs<>(BackendBug.class, 8, BrokenBackendTest::failures);
    }

    @AfterAll
    static void end() {
        runs.close();
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void kitFindsExactlyTheBrokenClauses(BackendBug bug) throws Exception {
        Map<String, String> failures = runs.failures(bug);
        assertThat(failures.keySet())
                .as("clauses that fail with bug %s: %s", bug, failures)
                .containsExactlyInAnyOrderElementsOf(bug.clauses());
        assertThat(failures.values())
                .as("what is said of bug %s", bug)
                .allSatisfy(text -> assertThat(text).contains(bug.phrase()));
    }

    private static Map<String, String> failures(BackendBug bug) {
        DiscoverySelector[] selectors = bug.groups().isEmpty()
                ? new DiscoverySelector[] {selectClass(BuggyBackendKit.class)}
                : bug.groups().stream()
                        .map(group -> selectNestedClass(
                                List.of(BuggyBackendKit.class.getName()), BackendTck.class.getName() + "$" + group))
                        .toArray(DiscoverySelector[]::new);
        return Selection.failures(bug, selectors);
    }
}
