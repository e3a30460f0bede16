// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Counts the lines of all files of a directory that the workers see too. Argument: [directory]. */
public final class LineCount {
    private LineCount() {}

    /** A result with two parts: a record travels when it is serializable. */
    record Counted(String file, long lines) implements Serializable {}

    static Counted count(String file) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of(file), StandardCharsets.ISO_8859_1)) {
            return new Counted(file, lines.count());
        }
    }

    public static void main(String[] args) throws IOException {
        List<String> files = filesIn(Path.of(args.length > 0 ? args[0] : "."));
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(4)) {
            List<Counted> counted = pool.map(LineCount::count, files);
            counted.stream()
                    .sorted(Comparator.comparingLong(Counted::lines).reversed())
                    .limit(10)
                    .forEach(each -> System.out.printf("%8d %s%n", each.lines(), each.file()));
            long total = counted.stream().mapToLong(Counted::lines).sum();
            System.out.println(total + " lines in " + files.size() + " files");
        }
    }

    private static List<String> filesIn(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.filter(Files::isRegularFile)
                    .filter(Files::isReadable)
                    .map(file -> file.toAbsolutePath().normalize().toString())
                    .toList();
        }
    }
}
