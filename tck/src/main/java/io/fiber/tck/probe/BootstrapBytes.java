// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The location of a program's bootstrap bytes, from the environment variable. */
record BootstrapBytes(JobWorld world, String place) {

    private static final String VARIABLE = "FIBER_BOOTSTRAP";
    private static final String STANDARD_INPUT = "stdin";
    private static final String FILE = "file:";

    static BootstrapBytes of(JobWorld world) {
        return new BootstrapBytes(world, world.environment().getOrDefault(VARIABLE, ""));
    }

    boolean areInFile() {
        return place.startsWith(FILE);
    }

    boolean areInStandardInput() {
        return place.equals(STANDARD_INPUT);
    }

    Path file() {
        return Path.of(place.substring(FILE.length()));
    }

    /** Reads the bytes; returns none if the variable has an unknown form. */
    byte[] read() throws IOException {
        if (areInFile()) {
            return Files.readAllBytes(file());
        }
        if (!areInStandardInput()) {
            return new byte[0];
        }
        int length = 0;
        for (byte part : world.in().readNBytes(Integer.BYTES)) {
            length = length << 8 | (part & 0xff);
        }
        return world.in().readNBytes(length);
    }
}
