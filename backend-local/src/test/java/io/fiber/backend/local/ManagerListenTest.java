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
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manager that listens, and programs that it must refuse. */
@Tag("slow")
class ManagerListenTest {

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
                    .hasMessageStartingWith("FBR-439 The manager at " + endpoint.address() + " does not have the key")
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
            Random random = new Random(7);
            for (int i = 0; i < 100; i++) {
                byte[] noise = SealedSessions.noise(random.nextInt(400) + 1);
                speak(endpoint, noise);
                speak(endpoint, newcomer(frame(noise)));
            }
            speak(endpoint, gadget.toByteArray());
            speak(endpoint, newcomer(new byte[0]));
            speak(endpoint, newcomer(gadget.toByteArray()));
            speak(endpoint, newcomer(frame(gadget.toByteArray())));
            speak(endpoint, newcomer(new byte[] {0x7F, -1, -1, -1}));
            speak(endpoint, newcomer(new byte[] {-1, -1, -1, -1}));
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(SealedSessions.counted(fiber, "refused-peers"))
                            .isEqualTo(105));
            assertThat(harm).doesNotExist();
            assertThat(SealedSessions.bytesBelow(driver)).isLessThanOrEqualTo(filesBefore);
            assertThat(ProcessHandle.current().descendants().count()).isLessThanOrEqualTo(childrenBefore);
            assertUsable(endpoint);
        }
    }

    /** Returns what a program sends first that names no invitation, and then these bytes. */
    private static byte[] newcomer(byte[] then) {
        ByteBuffer bytes = ByteBuffer.allocate(21 + then.length);
        return bytes.put("Fibr".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 1)
                .put(21, then)
                .array();
    }

    private static byte[] frame(byte[] content) {
        return ByteBuffer.allocate(4 + content.length)
                .putInt(content.length)
                .put(content)
                .array();
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
                .hasMessageStartingWith("FBR-438 No manager accepts this program at 127.0.0.1:" + port)
                .hasMessageContaining("refused");
        // A label of more than 63 characters is no name: no server is asked for it.
        assertThatThrownBy(() -> Manager.connect(ManagerEndpoint.of("x".repeat(64) + ".invalid", 1)))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-438")
                .hasMessageContaining("the host name is unknown");
    }

    @Test
    void somethingElseThatListensThereIsTold() throws Exception {
        assertThatThrownBy(() -> connectTo("HTTP/1.1 400 Bad Request".getBytes(StandardCharsets.US_ASCII)))
                .hasMessageStartingWith("FBR-438")
                .hasMessageContaining("something other than this transport listens at 127.0.0.1");
        assertThatThrownBy(() -> connectTo(new byte[0]))
                .hasMessageStartingWith("FBR-438")
                .hasMessageContaining("the connection was closed before an answer came");
    }

    /** Connects where something reads a greeting, says this, and goes. */
    private static void connectTo(byte[] answer) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> {
                try (Socket socket = listening.accept()) {
                    socket.getInputStream().readNBytes(21);
                    socket.getOutputStream().write(answer);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            answering.start();
            try {
                GuestPrograms.connect(ManagerEndpoint.of("127.0.0.1", listening.getLocalPort()))
                        .close();
            } finally {
                answering.join();
            }
        }
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
                    .hasMessageStartingWith("FBR-441 This manager has published no object named 'conts'")
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
            fiber.shutdownNow();
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
            });
            await().atMost(LIMIT).until(() -> Files.exists(file));
            assertUsable(ManagerEndpoint.load(file));
            LocalFiber.note(usedName, "used");
        }
    }
}
