// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.example;

import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;
import io.fiber.tck.host.FixtureDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;

@Tag("slow")
final class TinyBackendTest extends BackendTck {

    @Override
    protected BackendFixture createFixture() {
        return new TinyFixture();
    }

    private static final class TinyFixture implements BackendFixture {
        private final FixtureDirectory directory = FixtureDirectory.open();

        @Override
        public String name() {
            return "tiny";
        }

        @Override
        public BackendProvider provider() {
            return new TinyBackendProvider();
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.SHARED_FILES);
        }

        @Override
        public Path directory() {
            return directory.path();
        }

        @Override
        public Duration startLimit() {
            return Duration.ofSeconds(60);
        }

        @Override
        public Variables variables() {
            return Variables.COME_ALONG;
        }

        @Override
        public void close() {
            directory.close();
        }
    }
}
