// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.Retry;
import io.fiber.TaskRunner;
import io.fiber.TaskTimeoutException;
import io.fiber.WorkerLostException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that throw and are tried again, with real workers. */
@Tag("slow")
class RetryTest {

    private static Fiber fiber;
    private static Pool pool;

    @TempDir
    Path tmp;

    @BeforeAll
    static void open() {
        fiber = LocalFiber.open();
        pool = fiber.poolBuilder(2).build();
    }

    @AfterAll
    static void close() {
        pool.close();
        fiber.close();
    }

    private static TaskRunner with(Retry retry) {
        return pool.with(CallOptions.defaults().retry(retry));
    }

    private String file() {
        return tmp.resolve("begun").toString();
    }

    /** Fails so many times, which the file counts, and then returns the item. */
    private static int failing(String file, int times, int item) throws IOException {
        LocalFiber.note(file + item, "begun");
        int tries = LocalFiber.notes(Path.of(file + item)).size();
        if (tries <= times) {
            throw new IOException("item " + item + ", try " + tries);
        }
        return item;
    }

    @Test
    void tasksThatFailNowAndThenSucceedAtLastInTheirPlaces() {
        String file = file();
        long before = pool.statistics().tasksRetried();

        List<Integer> results = with(Retry.times(2).backOff(Duration.ofMillis(5)))
                .map(i -> i % 100 == 7 ? failing(file, 2, i) : i, IntStream.range(0, 2_000));

        assertThat(results)
                .containsExactlyElementsOf(IntStream.range(0, 2_000).boxed().toList());
        assertThat(pool.statistics().tasksRetried() - before).isEqualTo(40);
    }

    @Test
    void streamKeepsItsOrder() {
        String file = file();
        try (Stream<Integer> results =
                with(Retry.times(1)).imap(i -> i % 10 == 3 ? failing(file, 1, i) : i, IntStream.range(0, 100))) {
            assertThat(results)
                    .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
        }
    }

    @Test
    void lastFailureCarriesTheEarlierOnes() {
        String file = file();

        Throwable thrown = catchThrowable(() -> with(Retry.times(2)).apply(() -> failing(file, 99, 0)));

        assertThat(thrown).isInstanceOf(RemoteTaskException.class).hasRootCauseMessage("item 0, try 3");
        assertThat(thrown.getSuppressed())
                .satisfiesExactly(
                        first -> assertThat(first).hasRootCauseMessage("item 0, try 1"),
                        second -> assertThat(second).hasRootCauseMessage("item 0, try 2"));
        assertThatThrownBy(() -> with(Retry.times(1)).map(i -> failing(file, 99, 1), IntStream.range(0, 1)))
                .satisfies(failed -> assertThat(failed.getSuppressed()).hasSize(1));
    }

    @Test
    void onlyTheNamedExceptionsAreTriedAgain() {
        String file = file();
        Retry onlyIllegalState = Retry.times(5).on(IllegalStateException.class);
        assertThatThrownBy(() -> with(onlyIllegalState).apply(() -> failing(file, 9, 0)))
                .hasRootCauseMessage("item 0, try 1");
        Retry firstThree = Retry.times(5)
                .when(thrown -> !String.valueOf(thrown.getMessage()).endsWith("3"));
        assertThatThrownBy(() -> with(firstThree).apply(() -> failing(file, 9, 1)))
                .hasRootCauseMessage("item 1, try 3")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(2));
    }

    @Test
    void poolHasADefaultAndACallComesBeforeIt() {
        String file = file();
        try (Pool trying = fiber.poolBuilder(1)
                .callOptions(CallOptions.defaults().retry(Retry.times(1)))
                .build()) {
            assertThat(trying.<Integer>apply(() -> failing(file, 1, 0))).isZero();
            assertThatThrownBy(() -> trying.with(CallOptions.defaults().retry(Retry.times(0)))
                            .apply(() -> failing(file, 1, 1)))
                    .hasRootCauseMessage("item 1, try 1");
        }
    }

    @Test
    void deadlineHoldsForAllTriesTogether() {
        String file = file();
        TaskRunner calls = pool.with(CallOptions.defaults()
                .deadline(Duration.ofSeconds(1))
                .retry(Retry.times(100).backOff(Duration.ofMillis(1))));

        assertThatThrownBy(() -> calls.apply(() -> {
                    LocalFiber.last(Duration.ofMillis(300));
                    return failing(file, 99, 0);
                }))
                .isInstanceOf(TaskTimeoutException.class)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSizeLessThan(4));
    }

    @Test
    void cancelDuringAPauseEndsTheTask() {
        String file = file();
        long before = pool.statistics().tasksRetried();
        CompletableFuture<Integer> future =
                with(Retry.times(5).backOff(Duration.ofHours(1))).applyAsync(() -> failing(file, 99, 0));
        LocalFiber.awaitNotes(Path.of(file + 0), 1);
        await().atMost(LocalFiber.LIMIT).until(() -> pool.statistics().tasksRetried() > before);

        assertThat(future.cancel(true)).isTrue();
        assertThat(pool.<Integer>apply(() -> 5)).isEqualTo(5);
        assertThat(LocalFiber.notes(Path.of(file + 0))).hasSize(1);
    }

    @Test
    void lossOfAWorkerIsNoTryAndCarriesWhatWasThrownBefore() {
        String file = file();
        TaskRunner calls = pool.with(CallOptions.defaults().maxReruns(1).retry(Retry.times(3)));

        assertThatThrownBy(() -> calls.apply(() -> {
                    int first = failing(file, 1, 0);
                    Runtime.getRuntime().halt(3);
                    return first;
                }))
                .isInstanceOf(WorkerLostException.class)
                .hasMessageContaining("was started 2 times")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
    }
}
