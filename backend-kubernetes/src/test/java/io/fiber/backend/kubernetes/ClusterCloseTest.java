// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fiber.backend.kubernetes.StuckServer.Silent;
import io.fiber.backend.support.BackendThreads;
import io.fiber.spi.backend.BackendUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a session while its API server is silent, at each point of an answer. Counts threads, so it runs alone. */
class ClusterCloseTest {

    /** The client's timer ends up to ten seconds after its last entry. A request's own entry takes twenty seconds. */
    private static final Duration THREADS_LIMIT = Duration.ofSeconds(18);

    /** Shorter than the twenty seconds. */
    private static final Duration END_LIMIT = Duration.ofSeconds(12);

    /** The longest entry that the client makes for an earlier test is two minutes. */
    private static final Duration OTHERS_LIMIT = Duration.ofSeconds(150);

    @TempDir
    Path directory;

    @Test
    void nothingThatIsUnderWayOutlivesTheClose() throws Exception {
        awaitEndOfTimer();
        Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
        List<StuckServer> open = new ArrayList<>();
        try {
            for (Silent silent : Silent.values()) {
                StuckServer server = new StuckServer(silent);
                open.add(server);
                if (silent == Silent.BEFORE_A_WATCH || silent == Silent.WITHIN_A_WATCH) {
                    watch(server, silent);
                } else {
                    ask(server, silent);
                }
            }
            await().atMost(END_LIMIT).untilAsserted(() -> {
                for (StuckServer each : open) {
                    assertThat(each.connections()).isZero();
                }
            });
        } finally {
            for (StuckServer each : open) {
                each.close();
            }
        }
        await().atMost(THREADS_LIMIT)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> !before.contains(thread) && thread.isAlive())
                        .extracting(Thread::getName)
                        .filteredOn(name -> !name.matches(
                                "HttpClient-\\d+-SelectorManager|ForkJoinPool.*|.*Cleaner.*|awaitility.*"))
                        .as("threads")
                        .isEmpty());
    }

    /** All clusters of a JVM share the client's timer. If it already runs, an entry that this test leaves is not seen. */
    private static void awaitEndOfTimer() {
        await().atMost(OTHERS_LIMIT)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("CachedSingleThreadScheduler")));
    }

    private void ask(StuckServer server, Silent silent) throws Exception {
        CompletableFuture<Pod> answer = new CompletableFuture<>();
        try (Cluster cluster = server.connect(directory)) {
            new Thread(
                            () -> {
                                try {
                                    answer.complete(cluster.find("pod"));
                                } catch (RuntimeException e) {
                                    answer.completeExceptionally(e);
                                }
                            },
                            "asks-a-server-that-is-silent")
                    .start();
            server.awaitStuck();
        }
        assertThat(answer)
                .as("%s", silent)
                .failsWithin(END_LIMIT)
                .withThrowableThat()
                .withCauseInstanceOf(BackendUnavailableException.class)
                .withMessageContaining("FBR-169 The API server does not answer at ");
    }

    private void watch(StuckServer server, Silent silent) throws Exception {
        CountDownLatch established = new CountDownLatch(silent == Silent.WITHIN_A_WATCH ? 1 : 0);
        try (BackendThreads threads = new BackendThreads("test", 1);
                Cluster cluster = server.connect(directory)) {
            Watch watch = new Watch(cluster, Cluster.labels("abcdefgh1234"), new ResourceEventHandler<Pod>() {
                @Override
                public void onAdd(Pod pod) {
                    established.countDown();
                }

                @Override
                public void onUpdate(Pod before, Pod pod) {}

                @Override
                public void onDelete(Pod last, boolean unknown) {}
            });
            threads.later(watch::open);
            server.awaitStuck();
            established.await();
            watch.close();
        }
    }
}
