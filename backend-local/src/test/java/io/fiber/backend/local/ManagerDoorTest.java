// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static io.fiber.backend.local.LocalFiber.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.ConnectedManager;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.ManagedList;
import io.fiber.ManagedMap;
import io.fiber.Manager;
import io.fiber.ManagerEndpoint;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.SerializationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The listener of a manager, and programs that it must refuse. */
class ManagerDoorTest {

    @TempDir
    Path tmp;

    private static void assertUsable(ManagerEndpoint endpoint) {
        try (ConnectedManager connected = GuestPrograms.connect(endpoint)) {
            ManagedMap<String, Integer> counts = connected.find("counts", ManagedMap.class);
            assertThat(counts).containsEntry("one", 1);
        }
    }

    private static Manager published(Fiber fiber) {
        Manager manager = fiber.manager();
        manager.publish("counts", manager.map(Map.of("one", 1)));
        return manager;
    }

    @Test
    void anotherKeyIsToldToWhoHasItAndCountedByWhoDoesNot() {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = published(fiber)) {
            ManagerEndpoint endpoint = manager.listen();
            ManagerEndpoint forged = ManagerEndpoint.of(endpoint.host(), endpoint.port());
            assertThatThrownBy(() -> Manager.connect(forged))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-439 The manager at " + endpoint.address() + " holds another key")
                    .hasMessageContaining("Manager.listen");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(SealedSessions.counted(fiber, "refused-peers"))
                            .isEqualTo(1));
            assertUsable(endpoint);
        }
    }

    @Test
    void strangersGetNothingReadMappedOrStarted() throws IOException {
        Path harm = tmp.resolve("harm");
        ByteArrayOutputStream gadget = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(gadget)) {
            out.writeObject(new Gadget(harm));
        }
        try (Fiber fiber = LocalFiber.open();
                Manager manager = published(fiber)) {
            ManagerEndpoint endpoint = manager.listen();
            assertUsable(endpoint);
            long childrenBefore = ProcessHandle.current().descendants().count();
            Path driver = LocalFiber.sharedMemoryOf(LocalFiber.pid()).get(0);
            long filesBefore = SealedSessions.bytesBelow(driver);
            speak(endpoint, gadget.toByteArray());
            speak(endpoint, prefixed(gadget.toByteArray()));
            speak(endpoint, prefixed(new byte[] {3, 0, 0}));
            speak(endpoint, prefixed(hello(1), gadget.toByteArray()));
            speak(endpoint, prefixed(hello(1), prefixed(proof())));
            speak(endpoint, prefixed(hello(99)));
            Random random = new Random(7);
            for (int i = 0; i < 200; i++) {
                byte[] noise = new byte[random.nextInt(400)];
                random.nextBytes(noise);
                speak(endpoint, noise);
            }
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(SealedSessions.counted(fiber, "refused-peers"))
                            .isGreaterThanOrEqualTo(206));
            assertThat(harm).doesNotExist();
            assertThat(SealedSessions.bytesBelow(driver)).isLessThanOrEqualTo(filesBefore);
            assertThat(ProcessHandle.current().descendants().count()).isLessThanOrEqualTo(childrenBefore);
            assertUsable(endpoint);
        }
    }

    private static byte[] hello(int version) {
        byte[] hello = new byte[1 + 4 + 32];
        hello[0] = 1;
        hello[4] = (byte) version;
        return hello;
    }

    private static byte[] proof() {
        byte[] proof = new byte[1 + 32];
        proof[0] = 3;
        return proof;
    }

    private static byte[] prefixed(byte[] message, byte[]... then) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(message.length >> 8);
        out.write(message.length);
        out.writeBytes(message);
        for (byte[] more : then) {
            out.writeBytes(more);
        }
        return out.toByteArray();
    }

    /** Sends bytes and goes. */
    private static void speak(ManagerEndpoint endpoint, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(endpoint.host(), endpoint.port());
                OutputStream out = socket.getOutputStream()) {
            out.write(bytes);
            socket.shutdownOutput();
            socket.getInputStream().readNBytes(70);
        } catch (IOException e) {
            // The other side has hung up meanwhile.
        }
    }

    @Test
    void strangersWhoSayNothingKeepNobodyOut() throws IOException {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = published(fiber)) {
            ManagerEndpoint endpoint = manager.listen();
            List<Socket> silent = new ArrayList<>();
            try {
                for (int i = 0; i < 200; i++) {
                    silent.add(new Socket(endpoint.host(), endpoint.port()));
                }
                assertUsable(endpoint);
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void whereNobodyListensThatIsTold() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        assertThatThrownBy(() -> Manager.connect(ManagerEndpoint.of("127.0.0.1", port)))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-438 No manager lets this program in at 127.0.0.1:" + port)
                .hasMessageContaining("refused");
        assertThatThrownBy(() -> Manager.connect(ManagerEndpoint.of("no-such-host.invalid", 1)))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-438")
                .hasMessageContaining("no host of this name");
    }

    @Test
    void whoNeverAnswersIsGivenUpWhenTimeIsUp() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            ManagerEndpoint endpoint = ManagerEndpoint.of("127.0.0.1", silent.getLocalPort());
            assertThatThrownBy(() -> Manager.connect(endpoint, Duration.ofMillis(300)))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-438")
                    .hasMessageContaining("did not answer in time");
        }
        GuestPrograms.awaitNoThreads();
    }

    @Test
    void anAddressThatIsTakenOrNoneOfThisHostIsRefused() throws IOException {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = fiber.manager();
                ServerSocket taken = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            for (ManagerEndpoint endpoint : List.of(
                    ManagerEndpoint.of("127.0.0.1", taken.getLocalPort()),
                    ManagerEndpoint.of("192.0.2.1", 0),
                    ManagerEndpoint.of("0.0.0.0", 0))) {
                assertThatThrownBy(() -> manager.listen(endpoint))
                        .isInstanceOf(FiberException.class)
                        .hasMessageStartingWith("FBR-444 The manager cannot listen at " + endpoint.address());
            }
        }
    }

    @Test
    void namesAndTypesThatAreNotThereAreTold() {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = published(fiber);
                ConnectedManager connected = GuestPrograms.connect(manager.listen())) {
            assertThatThrownBy(() -> connected.find("conts", ManagedMap.class))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-441 Nothing is published under 'conts'")
                    .hasMessageContaining("[counts]");
            assertThatThrownBy(() -> connected.find("counts", ManagedList.class))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-447")
                    .hasMessageContaining("ManagedList");
        }
    }

    @Test
    void handlesOfAnotherProgramDoNotServeProcessesOfThisOne() {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = published(fiber);
                Fiber other = LocalFiber.open();
                Pool pool = other.pool(1);
                ConnectedManager connected = GuestPrograms.connect(manager.listen())) {
            ManagedMap<String, Integer> counts = connected.find("counts", ManagedMap.class);
            assertThatThrownBy(() -> pool.apply(name -> counts.containsKey(name), "one"))
                    .isInstanceOf(RemoteTaskException.class)
                    .hasMessageContaining("FBR-422");
        }
    }

    @Test
    void pipesOfTheManagersProgramAreNotForConnectedOnes() {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = fiber.manager();
                ConnectedManager connected = GuestPrograms.connect(manager.listen())) {
            manager.publish("pipe", fiber.pipe().second());
            assertThatThrownBy(() -> connected.find("pipe", Object.class))
                    .isInstanceOf(SerializationException.class)
                    .hasMessageContaining("FBR-446");
        }
    }

    @Test
    void nobodyIsLetInWhereClassesTravel() {
        try (Fiber fiber = LocalFiber.builder()
                        .set("fiber.remote-class-loading", "on")
                        .open();
                Manager manager = fiber.manager()) {
            assertThatThrownBy(manager::listen)
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-446")
                    .hasMessageContaining("remote-class-loading");
        }
    }

    @Test
    void closingLeavesNothing() throws IOException {
        try (Fiber fiber = LocalFiber.open()) {
            int directories = LocalFiber.sharedMemoryOf(LocalFiber.pid()).size();
            Manager manager = published(fiber);
            ManagerEndpoint endpoint = manager.listen();
            ConnectedManager connected = GuestPrograms.connect(endpoint);
            ManagedMap<String, Integer> counts = connected.find("counts", ManagedMap.class);
            connected.close();
            connected.close();
            assertThatThrownBy(() -> counts.get("one"))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-448");
            assertUsable(endpoint);
            manager.close();
            assertThatThrownBy(() -> Manager.connect(endpoint))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-438");
            assertThatThrownBy(manager::listen)
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-444")
                    .hasMessageContaining("closed");
            GuestPrograms.awaitNoThreads();
            assertThat(LocalFiber.sharedMemoryOf(LocalFiber.pid())).hasSize(directories);
        }
    }

    @Test
    void aSessionThatEndsSendsItsGuestsAway() {
        Fiber fiber = LocalFiber.open();
        Manager manager = published(fiber);
        try (ConnectedManager connected = GuestPrograms.connect(manager.listen())) {
            ManagedMap<String, Integer> counts = connected.find("counts", ManagedMap.class);
            fiber.terminate();
            assertThatThrownBy(() -> counts.get("one")).isInstanceOf(FiberException.class);
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThatThrownBy(() -> counts.get("one")).hasMessageStartingWith("FBR-442"));
        }
        GuestPrograms.awaitNoThreads();
    }

    @Test
    void managersOfWorkersListenToo() {
        Path file = tmp.resolve("endpoint");
        String name = file.toString();
        Path used = tmp.resolve("used");
        String usedName = used.toString();
        try (Fiber fiber = LocalFiber.open()) {
            fiber.process(() -> {
                        try (Manager manager = published(Fiber.current())) {
                            manager.listen().save(Path.of(name));
                            while (!Files.exists(Path.of(usedName))) {
                                LocalFiber.last(Duration.ofMillis(20));
                            }
                        }
                    })
                    .start();
            await().atMost(LIMIT).until(() -> Files.exists(file));
            assertUsable(ManagerEndpoint.load(file));
            LocalFiber.note(usedName, "used");
        }
    }
}
