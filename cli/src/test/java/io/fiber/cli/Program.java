// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.util.Arrays;

/** A program that a test runs: prints what it was given, and ends with the code that it was told. */
public final class Program {

    private Program() {}

    /** The first argument is the exit code. */
    public static void main(String[] arguments) {
        System.out.println("arguments " + Arrays.asList(arguments));
        System.out.println("seed " + System.getenv("SEED"));
        System.out.println("property " + System.getProperty("word"));
        System.out.println("heap " + (Runtime.getRuntime().maxMemory() >> 20));
        System.err.println("a complaint");
        System.exit(Integer.parseInt(arguments[0]));
    }
}
