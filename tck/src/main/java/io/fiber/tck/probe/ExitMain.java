// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Ends at once with the exit code in its first argument. Without an argument, ends with the code in its bootstrap bytes
 * if they are complete, and otherwise with {@link #DAMAGED}.
 */
public final class ExitMain implements JobProgram {

    private static final int LENGTH = 3_000;

    /** The exit code of a program whose bootstrap bytes are not what {@link #bytes} returned. */
    public static final int DAMAGED = 99;

    /** Creates the program. */
    public ExitMain() {}

    /** Runs the program as a process. */
    public static void main(String[] arguments) {
        ProcessWorld.exitWith(new ExitMain(), arguments);
    }

    /** Returns bootstrap bytes for a program that is to end with this code, from 1 to 98. */
    public static byte[] bytes(int code) {
        byte[] bytes = new byte[LENGTH];
        new Random(code).nextBytes(bytes);
        bytes[0] = (byte) code;
        return bytes;
    }

    @Override
    public int run(JobWorld world, List<String> arguments) throws IOException {
        if (!arguments.isEmpty()) {
            return Integer.parseInt(arguments.get(0));
        }
        byte[] bytes = BootstrapBytes.of(world).read();
        return bytes.length > 0 && Arrays.equals(bytes, bytes(bytes[0])) ? bytes[0] : DAMAGED;
    }
}
