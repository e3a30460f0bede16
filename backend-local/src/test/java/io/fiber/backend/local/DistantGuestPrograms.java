// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.ConnectedManager;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.ManagedLock;
import io.fiber.ManagedMap;
import io.fiber.Manager;
import io.fiber.ManagerEndpoint;
import io.fiber.tck.fault.PrivateNetwork;
import io.fiber.tck.fault.SpreadBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A program on one host with a manager on a second one, which programs on a third one use. Runs in a sandbox. */
@SuppressWarnings("LockNotBeforeTry") // single steps are what is tested
final class DistantGuestPrograms {

    private static final int STEPS = 30;

    private final PrivateNetwork network = new PrivateNetwork();
    private final PrivateNetwork.Host near = network.host();
    private final PrivateNetwork.Host far = network.host();
    private final Path tmp = Path.of(System.getProperty("java.io.tmpdir"));
    private final Path file = tmp.resolve("endpoint");

    private DistantGuestPrograms() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "host" -> new DistantGuestPrograms().host();
            case "count" -> count(Path.of(args[1]));
            case "hold" -> hold(Path.of(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private void host() throws Exception {
        try (Fiber fiber = LocalFiber.builder(new SpreadBackend(new LocalBackendProvider(), network, List.of(near)))
                        .open();
                Manager manager = fiber.manager()) {
            ManagedMap<String, Integer> counts = manager.map();
            ManagedLock lock = manager.lock();
            manager.publish("counts", counts);
            manager.publish("lock", lock);
            ManagerEndpoint endpoint = manager.listen();
            endpoint.save(file);
            System.out.println("listens at " + endpoint.address());

            Process counting = guest("count");
            step(lock, counts);
            System.out.println("counted " + counting.waitFor() + " " + counts.get("sum"));

            Process holding = guest("hold");
            await().atMost(LocalFiber.LIMIT).until(lock::isLocked);
            far.cut();
            lock.lock();
            System.out.println("abandoned " + lock.wasAbandoned());
            lock.unlock();
            far.join();
            System.out.println("held " + holding.waitFor());
        }
    }

    private Process guest(String what) throws IOException {
        List<String> command = far.command(
                MasterJvm.command(tmp, List.of("-Xmx128m"), DistantGuestPrograms.class, what, file.toString()));
        return new ProcessBuilder(command).inheritIO().start();
    }

    private static void step(ManagedLock lock, ManagedMap<String, Integer> counts) {
        for (int i = 0; i < STEPS; i++) {
            lock.lock();
            counts.put("sum", counts.getOrDefault("sum", 0) + 1);
            lock.unlock();
        }
    }

    private static void count(Path file) {
        try (ConnectedManager manager = GuestPrograms.connect(ManagerEndpoint.load(file))) {
            step(manager.find("lock", ManagedLock.class), manager.find("counts", ManagedMap.class));
        }
    }

    /** Takes the lock, and uses it until it is told that it has lost it. */
    private static void hold(Path file) {
        try (ConnectedManager manager = GuestPrograms.connect(ManagerEndpoint.load(file))) {
            ManagedLock lock = manager.find("lock", ManagedLock.class);
            lock.lock();
            assertThatThrownBy(() -> {
                        while (lock.isLocked()) {
                            Thread.onSpinWait();
                        }
                    })
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-442");
        }
    }
}
