// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackendThreadsTest {

    private static final long LAST_TASK_NS = 50_000_000;

    private final BackendThreads threads = new BackendThreads("test", 2);

    @AfterEach
    void close() {
        threads.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void tasksOfTheBackendAreRunByOneThreadInOrder() {
        List<String> order = new CopyOnWriteArrayList<>();
        threads.later(() -> order.add("a on " + Thread.currentThread().getName()));
        threads.later(() -> order.add("b on " + Thread.currentThread().getName()));
        threads.finish(() -> order.add("c on " + Thread.currentThread().getName()));

        // The end waits for half a second only.
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(order).containsExactly("a on fiber-test", "b on fiber-test", "c on fiber-test"));
    }

    @Test
    void taskThatThrowsEndsNoThread() {
        threads.later(() -> {
            throw new AssertionError("as it is meant");
        });
        AtomicBoolean run = new AtomicBoolean();
        threads.finish(() -> run.set(true));

        Awaitility.await().untilTrue(run);
    }

    /** It waits for half a second only, in which a busy machine may not run it. */
    @Test
    void lastTaskIsWaitedFor() {
        AtomicBoolean run = new AtomicBoolean();
        for (int i = 0; i < 3 && !run.get(); i++) {
            threads.finish(() -> {
                LockSupport.parkNanos(LAST_TASK_NS);
                run.set(true);
            });
        }

        assertThat(run).isTrue();
    }

    @Test
    void answersAreInTheOrderOfTheCalls() {
        BackendThreads.Answers<Integer> answers = threads.all(List.of(() -> 1, () -> 2, () -> 3));

        assertThat(answers.given()).containsExactly(1, 2, 3);
        assertThat(answers.failure()).isEmpty();
    }

    @Test
    void firstFailureIsToldWithWhatEndedWell() {
        BackendThreads.Answers<Integer> answers = threads.all(List.of(
                () -> 1,
                () -> {
                    throw new BackendUnavailableException("FBR-130 away");
                },
                () -> {
                    throw new IllegalStateException("later");
                },
                () -> 4));

        assertThat(answers.given()).containsExactly(1, 4);
        assertThat(answers.failure("It was not made"))
                .containsInstanceOf(BackendUnavailableException.class)
                .map(BackendException::getMessage)
                .hasValue("FBR-130 away");
    }

    @Test
    void failureThatIsNoneOfTheContractIsWrapped() {
        BackendThreads.Answers<Integer> answers = threads.all(List.of(() -> {
            throw new IllegalStateException("odd");
        }));

        assertThat(answers.failure("It was not made"))
                .map(BackendException::getMessage)
                .hasValue("FBR-139 It was not made: java.lang.IllegalStateException: odd");
    }

    @Test
    void interruptDoesNotShortenTheWaitForAnswers() {
        Thread.currentThread().interrupt();

        assertThat(threads.all(List.of(() -> 1)).given()).containsExactly(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void questionsThatWereForgottenAreNotAsked() {
        CountDownLatch held = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Void> both = new CompletableFuture<>();
        for (int i = 0; i < 2; i++) {
            threads.ask(() -> {
                if (asked.incrementAndGet() == 2) {
                    both.complete(null);
                }
                await(held);
            });
        }
        both.join();
        threads.ask(asked::incrementAndGet);
        threads.forgetQuestions();
        held.countDown();

        assertThat(threads.all(List.of(asked::get, asked::get)).given()).containsExactly(2, 2);
    }

    @Test
    void lastQuestionIsGivenATime() {
        CountDownLatch never = new CountDownLatch(1);

        assertThat(threads.within(10_000, () -> {})).isTrue();
        assertThat(threads.within(10_000, () -> {
                    throw new BackendException("FBR-1 no");
                }))
                .isFalse();
        assertThat(threads.within(1, () -> await(never))).isFalse();
        never.countDown();
        awaitNoThread("fiber-test-end");
    }

    private static void awaitNoThread(String name) {
        Awaitility.await()
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith(name)));
    }

    @Test
    void nothingRunsAfterTheClose() {
        threads.close();
        AtomicBoolean run = new AtomicBoolean();
        threads.later(() -> run.set(true));
        threads.ask(() -> run.set(true));

        awaitNoThread("fiber-test");
        assertThat(run).isFalse();
    }
}
