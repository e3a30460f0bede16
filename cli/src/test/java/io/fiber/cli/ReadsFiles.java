// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A program that a test runs: prints the files that it is told, and ends with the code that it was told. */
public final class ReadsFiles {

    private ReadsFiles() {}

    /** The first argument is the exit code. */
    public static void main(String[] arguments) throws IOException {
        for (String file : Arrays.asList(arguments).subList(1, arguments.length)) {
            Path path = Path.of(file);
            System.out.println(
                    file + ": " + (Files.exists(path) ? Files.readString(path).strip() : "not there"));
        }
        System.exit(Integer.parseInt(arguments[0]));
    }
}
