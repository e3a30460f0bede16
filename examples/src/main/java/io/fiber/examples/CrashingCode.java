// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.WorkerLostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/** Calls code that ends its process for some inputs, each in a JVM of its own, and prints what survives. */
public final class CrashingCode {
    private static final int AS_BY_SIGSEGV = 139;

    private CrashingCode() {}

    /** Stands for a method of a native library that cannot read every file. */
    static int decode(int file) {
        if (file % 4 == 2) {
            Runtime.getRuntime().halt(AS_BY_SIGSEGV);
        }
        return file * file;
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.poolBuilder(2)
                        .maxTasksPerWorker(1)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .start()) {
            List<CompletableFuture<Integer>> decoded = IntStream.range(0, 8)
                    .mapToObj(file -> pool.applyAsync(CrashingCode::decode, file))
                    .toList();
            for (int file = 0; file < decoded.size(); file++) {
                System.out.println("file " + file + ": " + outcome(decoded.get(file)));
            }
        }
    }

    private static String outcome(CompletableFuture<Integer> decoded) {
        try {
            return "decoded to " + decoded.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof WorkerLostException lost) {
                return "crashed (" + lost.exitDescription() + ")";
            }
            throw e;
        }
    }
}
