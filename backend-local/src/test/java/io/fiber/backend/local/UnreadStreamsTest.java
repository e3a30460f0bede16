// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.tck.host.LogLines;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams of results that are not read, or not to their end, when their pool or session is closed. */
@Tag("slow")
class UnreadStreamsTest {

    private static final int RESULT_BYTES = 1 << 20;
    private static final int RESULTS_OF_A_FULL_STREAM = 8;

    private static Stream<Integer> endless(Pool pool) {
        return pool.imap(x -> x, Stream.iterate(0, x -> x + 1));
    }

    @Test
    void streamThatNothingHasReadDoesNotKeepTheCloseOfItsPool() {
        try (Fiber fiber = LocalFiber.open()) {
            Pool pool = fiber.pool(1);
            Stream<Integer> unread = endless(pool);
            pool.close();

            assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
            assertThatThrownBy(unread::count)
                    .isInstanceOf(PoolClosedException.class)
                    .hasMessageStartingWith("FBR-404 ");
        }
    }

    @Test
    void streamThatNothingHasReadDoesNotKeepTheCloseOfItsSession() {
        Fiber fiber = LocalFiber.open();
        Pool pool = fiber.pool(1);
        Stream<Integer> unread = endless(pool);
        fiber.close();

        assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        assertThatThrownBy(unread::count)
                .isInstanceOf(PoolClosedException.class)
                .hasMessageStartingWith("FBR-404 ");
    }

    @Test
    void closeThatAStreamKeepsSaysSoAndEndsWhenTheStreamIsClosed() {
        try (LogLines log = LogLines.of("io.fiber", Level.INFO)) {
            Fiber fiber = LocalFiber.open();
            Pool pool = fiber.poolBuilder(1).name("sweep").build();
            Stream<byte[]> begun = pool.imap(x -> new byte[RESULT_BYTES], Stream.iterate(0, x -> x + 1));
            Iterator<byte[]> results = begun.iterator();
            assertThat(results.next()).hasSize(RESULT_BYTES);
            await("a stream that is full")
                    .atMost(LocalFiber.LIMIT)
                    .until(() -> pool.statistics().tasksDone() > RESULTS_OF_A_FULL_STREAM);
            CompletableFuture<Void> closed = CompletableFuture.runAsync(fiber::close);

            await("a notice")
                    .atMost(LocalFiber.LIMIT)
                    .untilAsserted(() -> assertThat(log.messages())
                            .anySatisfy(message -> assertThat(message)
                                    .startsWith("FBR-409 close() of pool 'sweep' has waited 5 s for 1 call: ")
                                    .contains("held up because its stream is not being read")
                                    .endsWith("Call shutdownNow() to end without waiting.")));
            assertThat(closed).isNotDone();
            assertThat(results.next()).hasSize(RESULT_BYTES);
            begun.close();

            assertThat(closed).succeedsWithin(LocalFiber.LIMIT);
        }
    }
}
