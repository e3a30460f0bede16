// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.WorkerLostException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole road over UDP, where everything is sealed. */
@Tag("slow")
class SealedSessionTest {

    private static final String MARKER = "this-text-must-not-be-seen-on-the-wire";

    private final Interceptor interceptor = new Interceptor();

    @Test
    void mapImapApplyAndProcessesGiveTheSameAnswersAsInSharedMemory() {
        try (Fiber fiber = SealedSessions.builder(interceptor).open()) {
            FiberProcess process = fiber.process(() -> {
                throw new IOException("boom");
            });
            assertThat(process.join()).isEqualTo(1);
            assertThat(process.failure().orElseThrow().remoteType()).isEqualTo("java.io.IOException");
            try (Pool pool = fiber.pool(2)) {
                assertThat(SealedSessions.works(pool)).isTrue();
                assertThat(pool.map(x -> x + 1L, IntStream.range(0, 50_000)).stream()
                                .mapToLong(x -> x)
                                .sum())
                        .isEqualTo(1_250_025_000L);
                assertThat(pool.imap(x -> x * 2, LocalFiber.numbers(5_000))
                                .mapToInt(x -> x)
                                .sum())
                        .isEqualTo(24_995_000);
                String got = pool.apply(x -> "got " + x, "it");
                assertThat(got).isEqualTo("got it");
                assertThatThrownBy(() -> pool.apply(() -> {
                            throw new IOException("in a task");
                        }))
                        .isInstanceOf(RemoteTaskException.class)
                        .hasMessageContaining("in a task");
            }
            assertThat(interceptor.bootstraps())
                    .hasSize(3)
                    .allSatisfy(told -> assertThat(told.address().text()).startsWith("aeron:udp;host=127.0.0.1;"));
            assertThat(SealedSessions.counted(fiber, "refused-peers")).isZero();
        }
    }

    @Test
    void payloadsOfTwentyMegabytesArriveWhole() {
        byte[] sent = SealedSessions.noise(20 << 20);
        try (Fiber fiber = SealedSessions.builder(interceptor).open();
                Pool pool = fiber.pool(1)) {
            for (int i = 0; i < 2; i++) {
                byte[] received = pool.apply(bytes -> bytes, sent);
                assertThat(Arrays.equals(received, sent)).isTrue();
            }
        }
    }

    @Test
    void workerKilledInMidChunkCostsNoAnswer(@TempDir Path directory) {
        try (Fiber fiber = SealedSessions.builder(interceptor).open();
                Pool pool = fiber.pool(2)) {
            WorkerDeathsTest.assertKilledInMidChunkLosesNothing(pool, directory);
            assertThat(SealedSessions.works(pool)).isTrue();
        }
    }

    @Test
    void taskThatEndsItsWorkerLeavesNoFileInSharedMemory() {
        String session;
        try (Fiber fiber = SealedSessions.builder(interceptor).open();
                Pool pool = fiber.poolBuilder(1)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            assertThatThrownBy(() -> pool.apply(() -> {
                        System.exit(3);
                        return 1;
                    }))
                    .isInstanceOf(WorkerLostException.class);
            session = interceptor.bootstraps().get(0).sessionId();
            assertThat(SealedSessions.works(pool)).isTrue();
        }
        await().atMost(LocalFiber.LIMIT)
                .untilAsserted(
                        () -> assertThat(LocalFiber.sharedMemoryOf(session)).isEmpty());
    }

    @Test
    void killedWorkerLeavesNothingWhileTheSessionGoesOn() {
        try (Fiber fiber = SealedSessions.builder(interceptor).open();
                Pool pool = fiber.pool(1)) {
            long pid = pool.apply(() -> ProcessHandle.current().pid());
            Path directory = SealedSessions.driverDirectory(pid);
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            await().atMost(LocalFiber.LIMIT)
                    .untilAsserted(() -> assertThat(directory).doesNotExist());
            assertThat(SealedSessions.works(pool)).isTrue();
        }
    }

    @Test
    void nobodyOnTheWaySeesWhatIsSaid() throws IOException {
        try (Relay relay = new Relay()) {
            interceptor.detour(relay::detour);
            try (Fiber fiber = SealedSessions.builder(interceptor).open();
                    Pool pool = fiber.pool(1)) {
                String answer = pool.apply(text -> text + text, MARKER);
                assertThat(answer).isEqualTo(MARKER + MARKER);
                byte[] same = new byte[100_000];
                assertThat((int) pool.apply(bytes -> bytes.length, same)).isEqualTo(same.length);
            }
            assertThat(relay.captured()).hasSizeGreaterThan(20);
            for (Relay.Captured datagram : relay.captured()) {
                String text = new String(datagram.bytes(), StandardCharsets.ISO_8859_1);
                assertThat(text)
                        .doesNotContain(MARKER)
                        .doesNotContain("io/fiber")
                        .doesNotContain("java.");
            }
        }
    }

    @Test
    void closedSessionLeavesNoDirectoryOfThisProcess() {
        List<Path> before = LocalFiber.sharedMemoryOf(LocalFiber.pid());
        try (Fiber fiber = SealedSessions.builder(interceptor).open();
                Pool pool = fiber.pool(1)) {
            assertThat(SealedSessions.works(pool)).isTrue();
        }
        assertThat(LocalFiber.sharedMemoryOf(LocalFiber.pid())).isEqualTo(before);
    }
}
