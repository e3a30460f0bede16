// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.Container;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.backend.support.SessionLabels;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The engine is gone for a while and its containers run on. {@link DockerEngineTest} runs it beside a real engine. */
@Tag("soak")
class DockerOutageKit {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration LIMIT = Duration.ofMinutes(4);

    @AfterEach
    void nothingIsLeft() {
        DockerFixture.awaitNothingLeft();
    }

    private static Set<String> containers(Engine engine) {
        return engine
                .ask(docker -> docker.listContainersCmd()
                        .withLabelFilter(Set.of(SessionLabels.SESSION))
                        .exec())
                .stream()
                .map(Container::getId)
                .collect(Collectors.toSet());
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    private static void stay(Duration time) {
        await().pollDelay(time).atMost(time.plus(LIMIT)).until(() -> true);
    }

    @Test
    void mapGoesOnWhileTheEngineIsGoneForAMinute() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(2);
                Engine engine = DockerFixture.engine()) {
            pool.map(DockerPoolKit::slow, IntStream.range(0, 10));
            Set<String> before = containers(engine);
            CompletableFuture<List<Integer>> results =
                    CompletableFuture.supplyAsync(() -> pool.map(DockerPoolKit::slow, IntStream.range(0, 30_000)));
            try (EngineOutage outage = new EngineOutage()) {
                stay(LONG);
                assertThat(outage).isNotNull();
            }

            assertThat(results.join())
                    .isEqualTo(IntStream.range(0, 30_000).boxed().toList());
            assertThat(containers(engine)).isEqualTo(before);
        }
    }

    @Test
    void workerThatDiesWhileTheEngineIsGoneIsReplacedAfterwards() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(2);
                Engine engine = DockerFixture.engine()) {
            pool.map(DockerPoolKit::slow, IntStream.range(0, 10));
            Set<String> before = containers(engine);
            String victim = before.iterator().next();
            long pid = engine.inspect(victim).getState().getPidLong();
            CompletableFuture<List<Integer>> results =
                    CompletableFuture.supplyAsync(() -> pool.map(DockerPoolKit::slow, IntStream.range(0, 10_000)));
            try (EngineOutage outage = new EngineOutage()) {
                kill(pid);
                stay(Duration.ofSeconds(25));
                assertThat(outage).isNotNull();
            }

            assertThat(results.join())
                    .isEqualTo(IntStream.range(0, 10_000).boxed().toList());
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(containers(engine)).hasSize(2).doesNotContain(victim));
        }
    }

    @Test
    void sessionThatIsClosedWhileTheEngineIsGoneLeavesNothing() {
        Fiber fiber = KitFiber.builder().open();
        Pool pool = fiber.pool(2);
        pool.map(DockerPoolKit::slow, IntStream.range(0, 10));
        try (EngineOutage outage = new EngineOutage()) {
            pool.close();
            fiber.close();
            assertThat(outage).isNotNull();
        }
        // nothingIsLeft waits for the rest.
    }
}
