// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.Fiber;
import io.fiber.Pipe;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Runs one test of a pipe for each line of standard input and answers with a line {@code RESULT} and the figure. The Python
 * program beside it, {@code pipe_peer.py}, does the same tests by the same steps.
 */
public final class PipeProgram {

    private static final int MESSAGE_BYTES = 64;
    private static final int HOT_ROUND_TRIPS = 20_000;
    private static final int LATE_ROUND_TRIPS = 100;
    private static final long SILENCE_MS = 20;
    private static final double NS_PER_S = 1e9;

    private PipeProgram() {}

    static void echo(Connection<byte[], byte[]> end) {
        try (end) {
            while (true) {
                end.sendBytes(end.receiveBytes());
            }
        } catch (EndOfStreamException e) {
            // The other end has closed: the tests are over.
        }
    }

    /** Runs the tests that standard input names. */
    public static void main(String[] args) throws Exception {
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Fiber fiber = Fiber.open()) {
            Pipe<byte[], byte[]> pipe = fiber.pipe();
            Connection<byte[], byte[]> theirs = pipe.second();
            fiber.process(() -> echo(theirs));
            try (Connection<byte[], byte[]> mine = pipe.first()) {
                run(commands, mine);
            }
        }
    }

    private static void run(BufferedReader commands, Connection<byte[], byte[]> mine)
            throws IOException, InterruptedException {
        for (String test = commands.readLine(); test != null; test = commands.readLine()) {
            double seconds = switch (test) {
                case "pipe_rtt_hot" -> median(mine, HOT_ROUND_TRIPS, 0);
                case "pipe_rtt_hot_then_20ms" -> {
                    median(mine, HOT_ROUND_TRIPS, 0);
                    yield median(mine, LATE_ROUND_TRIPS, SILENCE_MS);
                }
                case "pipe_rtt_after_20ms" -> median(mine, LATE_ROUND_TRIPS, SILENCE_MS);
                default -> throw new IllegalArgumentException("There is no test '" + test + "'.");
            };
            System.out.printf(Locale.ROOT, "RESULT %.9f%n", seconds);
        }
    }

    private static double median(Connection<byte[], byte[]> mine, int count, long silenceMs)
            throws InterruptedException {
        byte[] message = new byte[MESSAGE_BYTES];
        long[] timesNs = new long[count];
        for (int i = 0; i < count; i++) {
            if (silenceMs > 0) {
                Thread.sleep(silenceMs);
            }
            long beginNs = System.nanoTime();
            mine.sendBytes(message);
            int length = mine.receiveBytes().length;
            timesNs[i] = System.nanoTime() - beginNs;
            if (length != MESSAGE_BYTES) {
                throw new IllegalStateException("A message of " + length + " bytes came back.");
            }
        }
        Arrays.sort(timesNs);
        return timesNs[count / 2] / NS_PER_S;
    }
}
