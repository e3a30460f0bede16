// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For each bug of a transport: the whole kit fails at the clauses that the bug breaks, and at no other. */
@Tag("soak")
final class BrokenTransportTest {

    private static Runs<TransportBug> runs;

    @BeforeAll
    static void begin() {
        ReadWriteLock process = new ReentrantReadWriteLock();
        runs = new Runs<>(TransportBug.class, 4, bug -> {
            // Every run looks for such sockets, and finds those of its process.
            Lock turn = bug.clauses().contains("TRN-404") ? process.writeLock() : process.readLock();
            turn.lock();
            try {
                return Selection.failures(bug, selectClass(BuggyTransportKit.class));
            } finally {
                turn.unlock();
            }
        });
    }

    @AfterAll
    static void end() {
        runs.close();
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void kitFindsExactlyTheBrokenClauses(TransportBug bug) throws Exception {
        Map<String, String> failures = runs.failures(bug);
        assertThat(failures.keySet())
                .as("clauses that fail with bug %s: %s", bug, failures)
                .containsExactlyInAnyOrderElementsOf(bug.clauses());
    }
}
