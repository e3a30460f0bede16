// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.FixtureDirectory;
import io.fiber.tck.TransportFixture;
import io.fiber.tck.TransportTck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For each bug of a transport: the whole kit fails at the clauses that the bug breaks, and at no other. */
final class BrokenTransportTest {

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void kitFindsExactlyTheBrokenClauses(TransportBug bug) {
        assertThat(Selection.failures(bug, selectClass(Kit.class)))
                .as("clauses that fail with bug %s", bug)
                .containsExactlyInAnyOrderElementsOf(bug.clauses());
    }

    static final class Kit extends TransportTck {
        @Override
        protected TransportFixture createFixture() {
            return new Fixture(TransportBug.valueOf(System.getProperty(Selection.BUG)));
        }
    }

    private static final class Fixture implements TransportFixture {
        private final CountDownLatch closed = new CountDownLatch(1);
        private final TransportProvider provider;
        private final FixtureDirectory directory = FixtureDirectory.open();

        Fixture(TransportBug bug) {
            provider = new BrokenTransportProvider(bug, closed);
        }

        @Override
        public String name() {
            return "memory";
        }

        @Override
        public TransportProvider provider() {
            return provider;
        }

        @Override
        public Path directory() {
            return directory.path();
        }

        @Override
        public Duration connectLimit() {
            return Duration.ofSeconds(3);
        }

        @Override
        public Duration closeNoticeLimit() {
            return Duration.ofMillis(500);
        }

        @Override
        public void close() {
            closed.countDown();
            directory.close();
        }
    }
}
