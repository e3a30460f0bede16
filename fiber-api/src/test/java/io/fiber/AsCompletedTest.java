// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AsCompletedTest {

    @Test
    void futuresComeInTheOrderInWhichTheyComplete() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = CompletableFuture.completedFuture("early");
        CompletableFuture<String> third = new CompletableFuture<>();

        Iterator<CompletableFuture<String>> done =
                Fiber.asCompleted(List.of(first, second, third)).iterator();
        assertThat(done.next()).isSameAs(second);
        third.completeExceptionally(new IllegalStateException("failed"));
        assertThat(done.next()).isSameAs(third);
        first.cancel(true);
        assertThat(done.next()).isSameAs(first);
        assertThat(done.hasNext()).isFalse();
    }

    @Test
    void noFuturesAreNoElements() {
        assertThat(Fiber.asCompleted(List.of())).isEmpty();
    }

    @Test
    void interruptEndsTheWait() {
        CompletableFuture<String> never = new CompletableFuture<>();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Fiber.asCompleted(List.of(never)).toList())
                .isInstanceOf(WaitInterruptedException.class)
                .hasMessage("FBR-303 Interrupted while waiting for the next of 1 futures.");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(never).isNotDone();
    }

    /** A stream that knows its size is counted by the JDK without a look at its elements. */
    @Test
    void countWaitsForAllFutures() {
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<String> done = CompletableFuture.completedFuture("a");

        assertThat(Fiber.asCompleted(List.of(done, done)).count()).isEqualTo(2);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Fiber.asCompleted(List.of(done, never)).count())
                .isInstanceOf(WaitInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
