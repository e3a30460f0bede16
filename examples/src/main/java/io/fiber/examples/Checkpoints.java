// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Fiber;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A long computation that loses its process, and goes on from its last checkpoint in another one. Argument: [file], on storage
 * that every process sees, such as a volume.
 */
public final class Checkpoints {
    private static final int STEPS = 1_000_000;
    private static final int STEPS_BETWEEN = 100_000;

    private Checkpoints() {}

    /** Sums up the series of pi squared over six. */
    static void compute(String file) throws IOException {
        Path checkpoint = Path.of(file);
        int step = 0;
        double sum = 0;
        if (Files.exists(checkpoint)) {
            try (DataInputStream in = new DataInputStream(Files.newInputStream(checkpoint))) {
                step = in.readInt();
                sum = in.readDouble();
            }
        }
        boolean isFirst = step == 0;
        System.out.println("begins at step " + step);
        while (step < STEPS) {
            step++;
            sum += 1.0 / ((double) step * step);
            if (step % STEPS_BETWEEN == 0) {
                save(checkpoint, step, sum);
            }
            if (isFirst && step == STEPS / 2 + 1) {
                Runtime.getRuntime().halt(1); // as when its node is taken away
            }
        }
        System.out.println("pi is " + Math.sqrt(6 * sum));
    }

    /** The old checkpoint is there until the new one is whole. */
    private static void save(Path checkpoint, int step, double sum) throws IOException {
        Path next = checkpoint.resolveSibling(checkpoint.getFileName() + ".next");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(next))) {
            out.writeInt(step);
            out.writeDouble(sum);
        }
        Files.move(next, checkpoint, StandardCopyOption.ATOMIC_MOVE);
    }

    public static void main(String[] args) throws IOException {
        String file = args.length > 0
                ? args[0]
                : Files.createTempDirectory("fiber").resolve("checkpoint").toString();
        try (Fiber fiber = Fiber.open()) {
            while (fiber.process(() -> compute(file)).join() != 0) {
                System.out.println("the process was lost; another one follows");
            }
        }
    }
}
