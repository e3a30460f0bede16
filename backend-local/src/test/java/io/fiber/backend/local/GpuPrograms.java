// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.spi.Resources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Programs whose workers have GPUs. */
final class GpuPrograms {

    private GpuPrograms() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "hold" -> hold();
            case "pass-on" -> passOn();
            case "inner" -> inner();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void hold() throws InterruptedException {
        try (Fiber fiber = LocalFiber.builder().set("local.gpus", "GPU-a,MIG-b").open();
                Pool pool = fiber.poolBuilder(1).resources(Resources.gpus(2)).build()) {
            System.out.println("worker has both " + pool.apply(LocalFiber::pid));
            new CountDownLatch(1).await();
        }
    }

    private static void passOn() {
        try (Fiber fiber = LocalFiber.builder().set("local.gpus", "MIG-b").open()) {
            fiber.processBuilder(GpuPrograms::startInner)
                    .resources(Resources.gpus(1))
                    .start()
                    .join();
        }
    }

    /** Starts a program that knows nothing of the session around it but its variables. */
    private static void startInner() throws Exception {
        List<String> command = new ArrayList<>(MasterJvm.command(
                Path.of(System.getProperty("java.io.tmpdir")), List.of(), GpuPrograms.class, "inner"));
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("exit code " + code);
        }
    }

    private static void inner() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.poolBuilder(1).resources(Resources.gpus(1)).build()) {
            System.out.println("inner worker has "
                    + pool.apply(() -> Fiber.current().currentProcess().gpus().toString()));
        }
    }
}
