// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.runtime.protocol.TestLink;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportProvider;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a session asks for its workers, on a platform of one host that starts none. */
class SessionTest {

    private static final class OneHost implements BackendProvider, Backend {
        @Override
        public String name() {
            return "one-host";
        }

        @Override
        public Probe probe(Environment environment) {
            return new Probe.Usable("it is a test");
        }

        @Override
        public Backend create(BackendContext context) {
            return this;
        }

        @Override
        public CallerHost callerHost() {
            return CallerHost.sameHost();
        }

        @Override
        public boolean isOneHost() {
            return true;
        }

        @Override
        public List<Job> submit(Submission submission, JobListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<String> preview(Submission submission) {
            return submission.spec().program() instanceof Program.Java java
                    ? Optional.of(String.join(" ", java.jvmOptions()))
                    : Optional.empty();
        }

        @Override
        public void close() {}
    }

    private static final class Nowhere implements TransportProvider, Transport {
        @Override
        public String name() {
            return "nowhere";
        }

        @Override
        public List<String> jvmOptions(CodePath path) {
            return List.of();
        }

        @Override
        public Transport create(TransportContext context) {
            return this;
        }

        @Override
        public Link invite(LinkUse use) {
            return TestLink.pair(1024, TestLink.Reach.CONFINED);
        }

        @Override
        public Link dial(Address address) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    private final Fiber fiber = SessionAssembly.assemble(
            new SessionAssembly.Choice(
                    FiberConfig.load(ConfigSources.system(Map.of()), KnownKeys.of(List.of(), Set.of())),
                    new OneHost(),
                    new Nowhere(),
                    new JavaSerializerProvider()),
            new ProcessPlace(Optional.empty()));

    @AfterEach
    void close() {
        fiber.close();
    }

    private String oneMoreWorker() {
        return fiber.poolBuilder(1).preview().orElseThrow();
    }

    /** Else a program that makes pool after pool would start ever smaller workers. */
    @Test
    void workersShareTheMemoryWithThoseOfOpenPoolsAlone() {
        String alone = oneMoreWorker();
        try (Pool open = fiber.pool(4)) {
            assertThat(open.workers()).isEqualTo(4);
            assertThat(oneMoreWorker()).contains("-XX:MaxRAMPercentage=15.00");
        }

        assertThat(alone).doesNotContain("MaxRAMPercentage");
        await().untilAsserted(() -> assertThat(oneMoreWorker()).doesNotContain("MaxRAMPercentage"));
    }
}
