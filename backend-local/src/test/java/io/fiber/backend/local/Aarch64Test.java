// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.ManagedMap;
import io.fiber.Manager;
import io.fiber.Pipe;
import io.fiber.Pool;
import io.fiber.RingMember;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Workers with another architecture than their program's: those of a JRE for aarch64 that {@code dev/aarch64/up} has made. {@code
 * ./test --aarch64} runs other tests in such JVMs.
 */
@Tag("soak")
class Aarch64Test {

    private static final Path JAVA = Path.of(
                    requireNonNullElse(System.getenv("TEST_AARCH64_CACHE"), "/var/tmp/fiber-aarch64"))
            .resolve("jre-17/usr/lib/jvm/java-17-openjdk-arm64/bin/java");

    private static final double[] NUMBERS =
            IntStream.range(0, 1_000_000).mapToDouble(Math::sqrt).toArray();

    @BeforeAll
    static void needsAnEmulatedJava() {
        assumeTrue(Files.isExecutable(JAVA), "dev/aarch64/up has made no JRE at " + JAVA);
    }

    private static String architecture() {
        return System.getProperty("os.arch");
    }

    private static Fiber open(String transport) {
        return LocalFiber.builder(transport)
                .set("worker.java", JAVA.toString())
                .set("start-limit", "5m")
                .open();
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "aeron"})
    void poolsAndRingsOfAnotherArchitecture(String transport) {
        try (Fiber fiber = open(transport);
                Pool pool = fiber.pool(2)) {
            assertThat(pool.map(i -> architecture() + i, List.of(1, 2, 3)))
                    .containsExactly("aarch64" + 1, "aarch64" + 2, "aarch64" + 3);
            assertThat(pool.apply(
                            (double[] numbers) ->
                                    Arrays.stream(numbers).map(x -> x * x).toArray(),
                            NUMBERS))
                    .hasSameSizeAs(NUMBERS)
                    .endsWith(Math.sqrt(999_999) * Math.sqrt(999_999));

            List<String> members = fiber.ring(2).call((RingMember member) -> {
                float[] sum = {member.rank() + 1};
                member.allReduce(sum, Float::sum);
                return architecture() + " " + sum[0];
            });
            assertThat(members).containsExactly("aarch64 3.0", "aarch64 3.0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "aeron"})
    void processesQueuesPipesAndManagersOfAnotherArchitecture(String transport) {
        try (Fiber fiber = open(transport);
                Manager manager = fiber.manager()) {
            FiberQueue<double[]> queue = fiber.queue();
            Pipe<String, String> pipe = fiber.pipe();
            ManagedMap<String, Integer> counts = manager.map();
            FiberProcess process = fiber.process(() -> {
                queue.put(NUMBERS);
                pipe.second().send(architecture() + " " + pipe.second().receive());
                counts.merge("a", 1, Integer::sum);
            });

            assertThat(queue.take()).isEqualTo(NUMBERS);
            pipe.first().send("hello");
            assertThat(pipe.first().receive()).isEqualTo("aarch64 hello");
            assertThat(process.join()).isZero();
            assertThat(counts.snapshot()).containsOnly(java.util.Map.entry("a", 1));
        }
    }
}
