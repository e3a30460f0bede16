// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.platform.SessionThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallbackThreadsTest {

    private static final int MANY = 3 * Math.max(2, Runtime.getRuntime().availableProcessors());

    @Test
    void callbacksThatWaitForFuturesDoNotKeepThoseFromBeingCompleted() throws Exception {
        ExecutorService threads = SessionThreads.callbacks(thrown -> {});
        try {
            List<CompletableFuture<Integer>> awaited = new ArrayList<>();
            List<CompletableFuture<Integer>> callbacks = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                CompletableFuture<Integer> result = new CompletableFuture<>();
                awaited.add(result);
                callbacks.add(CompletableFuture.supplyAsync(result::join, threads));
            }
            for (int i = 0; i < MANY; i++) {
                int result = i;
                threads.execute(() -> awaited.get(result).complete(result));
            }

            for (int i = 0; i < MANY; i++) {
                assertThat(callbacks.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(i);
            }
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
