// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * Maps a list with the default call, once for each line of standard input, and answers with a line {@code RESULT} and the
 * seconds it took; with {@code chunks} as second argument, with the number of chunks. The Python program beside it,
 * {@code lists_peer.py}, does the same by the same steps.
 */
public final class ListsProgram {
    private static final int WORKERS = 5;
    private static final int ITEMS = 100_000;

    private ListsProgram() {}

    /** Takes the kind of items, and perhaps {@code chunks}. */
    public static void main(String[] args) throws IOException {
        boolean countsChunks = args.length > 1 && args[1].equals("chunks");
        List<Object> items = Items.named(args[0]).list(ITEMS);
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            pool.awaitReady();
            while (commands.readLine() != null) {
                System.out.printf(
                        Locale.ROOT, "RESULT %.6f%n", countsChunks ? chunks(pool, items) : seconds(pool, items));
                System.out.flush();
            }
        }
    }

    private static double seconds(Pool pool, List<Object> items) {
        long beginNs = System.nanoTime();
        List<Integer> results = pool.map(Items::number, items);
        long endNs = System.nanoTime();
        check(results);
        return (endNs - beginNs) / 1e9;
    }

    /** Counts what the flight recorder has of a map. */
    private static double chunks(Pool pool, List<Object> items) throws IOException {
        Path file = Files.createTempFile("chunks", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("io.fiber.Chunk").withoutThreshold();
            recording.start();
            seconds(pool, items);
            recording.stop();
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals("io.fiber.Chunk"))
                    .count();
        } finally {
            Files.delete(file);
        }
    }

    private static void check(List<Integer> results) {
        for (int at = 0; at < ITEMS; at++) {
            if (results.size() != ITEMS || results.get(at) != at) {
                throw new IllegalStateException(
                        "Result " + at + " of " + results.size() + " is " + results.get(at) + "; expected " + at + ".");
            }
        }
    }
}
