// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.tck.clause.ClauseFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Runs parts of the kit inside a test and tells which clauses failed. */
final class Selection {

    private static final ThreadLocal<Enum<?>> BUG = new ThreadLocal<>();

    private Selection() {}

    /** Returns the bug of the run that this thread makes: tests of a run are executed by the thread that began it. */
    static <B extends Enum<B>> B bug(Class<B> bugs) {
        return bugs.cast(BUG.get());
    }

    /** Runs the kit with a bug and returns the clauses that failed, each with what was said of it. */
    static Map<String, String> failures(Enum<?> bug, DiscoverySelector... selectors) {
        BUG.set(bug);
        try {
            Events tests = EngineTestKit.engine("junit-jupiter")
                    .selectors(selectors)
                    .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                    .execute()
                    .testEvents();
            assertThat(tests.started().count()).as("tests that ran").isPositive();
            Map<String, String> clauses = new TreeMap<>();
            for (Throwable failure : throwables(tests)) {
                check(failure);
                clauses.put(((ClauseFailure) failure).clauseId(), failure.getMessage());
            }
            return clauses;
        } finally {
            BUG.remove();
        }
    }

    private static List<Throwable> throwables(Events tests) {
        List<Throwable> failures = new ArrayList<>();
        tests.failed().stream()
                .forEach(event -> event.getPayload(TestExecutionResult.class)
                        .flatMap(TestExecutionResult::getThrowable)
                        .ifPresent(failures::add));
        return failures;
    }

    /** A failure names its clause, says what was seen and where to look, and is no accident of the kit. */
    private static void check(Throwable failure) {
        assertThat(failure).isInstanceOf(ClauseFailure.class);
        assertThat(failure.getMessage())
                .contains("Seen: ")
                .contains("If this fails, check ")
                .contains("docs/")
                .doesNotContain("NullPointerException with the text 'Cannot invoke \"io.fiber.tck");
    }
}
