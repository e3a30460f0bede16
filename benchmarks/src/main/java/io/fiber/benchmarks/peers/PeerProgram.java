// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * Opens a system and, at the first line of standard input, calls until each worker has answered; runs a step at the second
 * line. Each line is answered with {@code RESULT} and the seconds it took. {@code peer_program.py} does the same in Python.
 */
public final class PeerProgram {

    /** How a program opens its system. */
    @FunctionalInterface
    public interface Opener {
        Peer open() throws IOException;
    }

    private PeerProgram() {}

    /** Takes the name of a step and a number of tasks. */
    public static void run(String[] args, Opener opener) throws IOException, ExecutionException, InterruptedException {
        int tasks = Integer.parseInt(args[1]);
        long beginNs = System.nanoTime();
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Peer peer = opener.open()) {
            commands.readLine();
            Set<Long> answered = new HashSet<>();
            while (answered.size() < Peer.WORKERS) {
                answered.addAll(peer.processes());
            }
            answer(beginNs);
            if (commands.readLine() != null) {
                beginNs = System.nanoTime();
                check(step(peer, args[0], tasks), tasks);
                answer(beginNs);
                commands.readLine();
            }
        }
    }

    private static List<Integer> step(Peer peer, String step, int tasks)
            throws ExecutionException, InterruptedException {
        return switch (step) {
            case "separate" -> peer.separate(tasks);
            case "naps" -> peer.naps(tasks);
            default -> throw new IllegalArgumentException("'" + step + "' is none of separate, naps.");
        };
    }

    private static void check(List<Integer> results, int count) {
        long sum = results.stream().mapToLong(Integer::longValue).sum();
        long expected = (long) count * (count - 1) / 2;
        if (results.size() != count || sum != expected) {
            throw new IllegalStateException(results.size() + " results with sum " + sum + "; expected " + count
                    + " with sum " + expected + ".");
        }
    }

    private static void answer(long beginNs) {
        System.out.printf(Locale.ROOT, "RESULT %.6f%n", (System.nanoTime() - beginNs) / 1e9);
        System.out.flush();
    }
}
