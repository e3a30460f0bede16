// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.ConfigurationException;
import io.fiber.FiberException;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the program is told of a backend that throws when it is opened. */
class SessionAssemblyTest {

    record Throwing(Throwable thrown) implements BackendProvider {
        @Override
        public String name() {
            return "grid";
        }

        @Override
        public Probe probe(Environment environment) {
            return new Probe.Usable("it is a test");
        }

        @Override
        public Backend create(BackendContext context) {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        }
    }

    static final class Unused implements TransportProvider {
        @Override
        public String name() {
            return "unused";
        }

        @Override
        public List<String> jvmOptions(CodePath path) {
            return List.of();
        }

        @Override
        public Transport create(TransportContext context) {
            throw new UnsupportedOperationException();
        }
    }

    private static void open(Throwable thrown) {
        FiberConfig config = FiberConfig.load(ConfigSources.system(Map.of()), KnownKeys.of(List.of(), Set.of()));
        SessionAssembly.assemble(
                new SessionAssembly.Choice(config, new Throwing(thrown), new Unused(), new JavaSerializerProvider()),
                new ProcessPlace(Optional.empty()));
    }

    static List<Throwable> faults() {
        return List.of(
                new NoSuchMethodError("grid.Client.open()"),
                new ExceptionInInitializerError("no native code"),
                new AssertionError("half open"),
                new IllegalStateException("no queue."));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void faultOfItsCodeNamesTheProviderAndWhereItIs(Throwable fault) {
        String text = fault.toString();
        assertThatThrownBy(() -> open(fault))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("FBR-105 Backend 'grid', io.fiber.runtime.session.SessionAssemblyTest$Throwing ("
                        + Path.of("target").toAbsolutePath().resolve("test-classes")
                        + "), cannot be used: its create() threw " + text + (text.endsWith(".") ? "" : ".")
                        + " The cause of this exception has the stack trace.")
                .hasCause(fault);
    }

    static List<Throwable> words() {
        return List.of(new FiberException("FBR-106", "There is no room."), new OutOfMemoryError("none left"));
    }

    @Test
    void failureOfAPlatformIsTheCauseOfAnExceptionWithItsWords() {
        BackendException own = new BackendUnavailableException("FBR-130 Slurm does not answer.");
        assertThatThrownBy(() -> open(own))
                .isExactlyInstanceOf(FiberException.class)
                .hasMessage("FBR-130 Slurm does not answer.")
                .hasCause(own);

        BackendException others = new BackendException("GRID-3 The grid does not answer.");
        assertThatThrownBy(() -> open(others))
                .isExactlyInstanceOf(FiberException.class)
                .hasMessage("FBR-139 GRID-3 The grid does not answer.")
                .hasCause(others);
    }

    @ParameterizedTest
    @MethodSource("words")
    void wordOfFiberAndFailureOfTheJvmStayAsTheyAre(Throwable word) {
        assertThatThrownBy(() -> open(word)).isSameAs(word);
    }
}
