// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.Fiber;
import io.fiber.Pipe;
import io.fiber.RingMember;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * All-reduce of 100 MB of floats over four members, once for each line of standard input, answered with a line
 * {@code RESULT} and the seconds from the barrier before to the barrier behind. With the argument {@code threads} the members
 * are threads of one JVM: {@link ThreadRing}.
 */
public final class RingProgram {

    private static final int MEMBERS = 4;
    private static final int FLOATS = 25_000_000;
    private static final double NS_PER_S = 1e9;

    private RingProgram() {}

    /** Runs the tests that standard input asks for. */
    public static void main(String[] args) throws Exception {
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            if (args.length > 0 && args[0].equals("threads")) {
                ThreadRing ring = new ThreadRing(MEMBERS, FLOATS);
                answer(commands, ring::allReduce);
            } else {
                withProcesses(commands);
            }
        }
    }

    /** Does the test once. */
    private interface Test {
        double seconds() throws Exception;
    }

    private static void answer(BufferedReader commands, Test test) throws Exception {
        while (commands.readLine() != null) {
            System.out.printf(Locale.ROOT, "RESULT %.9f%n", test.seconds());
        }
    }

    private static void withProcesses(BufferedReader commands) throws Exception {
        try (Fiber fiber = Fiber.open()) {
            Pipe<String, Double> pipe = fiber.pipe();
            Connection<Double, String> orders = pipe.second();
            Thread answering = new Thread(() -> {
                try (Connection<String, Double> mine = pipe.first()) {
                    answer(commands, () -> {
                        mine.send("again");
                        return mine.receive();
                    });
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            answering.start();
            fiber.ring(MEMBERS).run(member -> serve(member, orders));
            answering.join();
        }
    }

    private static void serve(RingMember member, Connection<Double, String> orders) throws IOException {
        float[] numbers = new float[FLOATS];
        while (member.broadcast(0, member.rank() == 0 && hasOrder(orders))) {
            java.util.Arrays.fill(numbers, member.rank() + 1);
            member.barrier();
            long beginNs = System.nanoTime();
            member.allReduce(numbers, Float::sum);
            member.barrier();
            double seconds = (System.nanoTime() - beginNs) / NS_PER_S;
            check(numbers);
            if (member.rank() == 0) {
                orders.send(seconds);
            }
        }
    }

    private static boolean hasOrder(Connection<Double, String> orders) {
        try {
            orders.receive();
            return true;
        } catch (EndOfStreamException e) {
            return false;
        }
    }

    static void check(float[] numbers) {
        for (int i = 0; i < numbers.length; i += 1_000) {
            if (numbers[i] != MEMBERS * (MEMBERS + 1) / 2f) {
                throw new IllegalStateException("Element " + i + " is " + numbers[i] + ".");
            }
        }
    }
}
