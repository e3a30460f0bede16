// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The main class of the reaper's process, which reads commands from standard input and runs them when that ends. */
public final class ReaperMain {

    private ReaperMain() {}

    /**
     * Runs the reaper.
     *
     * @throws IOException if standard input cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        Map<String, List<String>> commands = new TreeMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("-")) {
                    commands.remove(words[1]);
                } else {
                    commands.put(words[1], decode(Arrays.asList(words).subList(2, words.length)));
                }
            }
        }
        for (List<String> command : commands.values()) {
            run(command);
        }
    }

    /** If one command cannot be started, the others still run. */
    private static void run(List<String> command) {
        try {
            new ProcessBuilder(command).inheritIO().start();
        } catch (IOException e) {
            System.err.println("The kit's reaper cannot run " + command + ": " + e.getMessage());
        }
    }

    private static List<String> decode(List<String> words) {
        return words.stream()
                .map(word -> new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8))
                .toList();
    }
}
