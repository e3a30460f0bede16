// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM, by which platforms ask before they kill. */
@Tag("slow")
class AskedToEndTest {

    /** Younger workers end at once. */
    private static final Duration OLD_ENOUGH = Duration.ofSeconds(3);

    @TempDir
    Path tmp;

    private static void ask(long pid) {
        assertThat(ProcessHandle.of(pid).orElseThrow().destroy()).isTrue();
    }

    /** Returns the items that were begun, by this process. */
    private static List<String> begunBy(Path notes, long pid) {
        return LocalFiber.notes(notes).stream()
                .filter(note -> note.startsWith(pid + " "))
                .toList();
    }

    @Test
    void workerFinishesWhatItRunsAndHandsBackTheRestAlsoWhereNothingMayRunTwice() {
        Path notes = tmp.resolve("notes");
        String file = notes.toString();
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.poolBuilder(2)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            CompletableFuture<List<Integer>> results = pool.with(
                            CallOptions.defaults().chunkSize(60))
                    .mapAsync(
                            item -> {
                                LocalFiber.note(file, LocalFiber.pid() + " " + item);
                                LocalFiber.last(Duration.ofMillis(150));
                                return item;
                            },
                            LocalFiber.numbers(100));
            LocalFiber.awaitNotes(notes, 40);
            long asked = Long.parseLong(LocalFiber.notes(notes).get(0).split(" ", 2)[0]);

            ask(asked);

            LocalSession.assertGone(asked);
            assertThat(begunBy(notes, asked))
                    .as("what it had begun of its sixty")
                    .hasSizeLessThan(60);
            assertThat(results).succeedsWithin(LocalFiber.LIMIT).isEqualTo(LocalFiber.numbers(100));
            assertThat(LocalFiber.notes(notes).stream()
                            .map(note -> Integer.valueOf(note.split(" ", 2)[1]))
                            .collect(Collectors.toList()))
                    .containsExactlyInAnyOrderElementsOf(LocalFiber.numbers(100));
            assertThat(pool.statistics().workersLost()).isZero();
            assertThat(pool.statistics().chunksRerun()).isZero();
        }
    }

    @Test
    void workerThatRunsNothingIsReplaced() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            long first = pool.apply(() -> {
                LocalFiber.last(OLD_ENOUGH);
                return LocalFiber.pid();
            });

            ask(first);

            LocalSession.assertGone(first);
            assertThat(pool.apply(LocalFiber::pid)).isNotEqualTo(first);
            assertThat(pool.statistics().workersLost()).isZero();
        }
    }

    @Test
    void processThatIsNoPoolsEndsAtOnce() {
        Path notes = tmp.resolve("pid");
        String file = notes.toString();
        try (Fiber fiber = LocalFiber.open()) {
            FiberProcess process = fiber.process(() -> {
                LocalFiber.note(file, LocalFiber.pid());
                LocalFiber.last(LocalFiber.LIMIT.multipliedBy(10));
            });
            LocalFiber.awaitNotes(notes, 1);

            ask(Long.parseLong(LocalFiber.notes(notes).get(0)));

            assertThat(process.onExit()).succeedsWithin(LocalFiber.LIMIT);
            assertThat(process.exitCode()).hasValue(143);
        }
    }
}
