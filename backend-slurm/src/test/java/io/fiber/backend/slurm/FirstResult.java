// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A program that says when a pool gave its first result, and where the time had gone. All clocks are this machine's. */
public final class FirstResult {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    private FirstResult() {}

    private static boolean hasArchive(Path archives) throws IOException {
        try (Stream<Path> files = Files.list(archives)) {
            return files.anyMatch(file -> file.toString().endsWith(".jsa"));
        }
    }

    /** When the worker's process began, when its task did, and what processor time it had taken until then. */
    private static String times(int number) {
        Instant now = Instant.now();
        ProcessHandle.Info own = ProcessHandle.current().info();
        return own.startInstant().orElse(now) + " " + now + " "
                + own.totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }

    /** Has a pool of as many workers as the first argument says, and stays until the second one's directory has a file. */
    public static void main(String[] arguments) {
        int workers = Integer.parseInt(arguments[0]);
        try (Fiber fiber = Fiber.builder().backend("slurm").open();
                Pool pool = fiber.pool(workers)) {
            Instant called = Instant.now();
            try (Stream<String> results = pool.imapUnordered(FirstResult::times, IntStream.range(0, workers))) {
                String[] times = results.findFirst().orElseThrow().split(" ", 3);
                Instant came = Instant.now();
                System.out.println(Duration.between(called, came).toMillis() + " ms, of which "
                        + Duration.between(called, Instant.parse(times[0])).toMillis()
                        + " ms until its worker's process began, and "
                        + Duration.between(Instant.parse(times[0]), Instant.parse(times[1]))
                                .toMillis() + " ms more until its task did, with " + times[2]
                        + " ms of processor time");
            }
            Path archives = Path.of(arguments[1]);
            await().atMost(LIMIT).until(() -> hasArchive(archives));
        }
    }
}
