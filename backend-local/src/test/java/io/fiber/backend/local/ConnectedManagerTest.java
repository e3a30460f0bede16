// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static io.fiber.backend.local.LocalFiber.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.ConnectedManager;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberQueue;
import io.fiber.ManagedList;
import io.fiber.ManagedLock;
import io.fiber.ManagedMap;
import io.fiber.Manager;
import io.fiber.ManagerEndpoint;
import io.fiber.tck.fault.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Managers that are used by programs which are no processes of their own; those run in JVMs that nobody of Fiber started. */
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // single steps are what is tested
class ConnectedManagerTest {

    private static final int CALLERS = 40;

    @TempDir
    Path tmp;

    private Path saved(ManagerEndpoint endpoint) {
        Path file = tmp.resolve("endpoint");
        endpoint.save(file);
        return file;
    }

    private MasterJvm program(String... arguments) {
        return new MasterJvm(tmp, GuestPrograms.class, List.of("-Xmx128m"), arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "udp"})
    void anotherProgramUsesWhatIsPublished(String media) {
        try (Fiber fiber = LocalFiber.builder().set("fiber.aeron.media", media).open();
                Manager manager = fiber.manager()) {
            ManagedMap<String, Integer> counts = manager.map(Map.of("guest", 1));
            ManagedLock lock = manager.lock();
            ManagedList<String> inner = manager.list();
            ManagedMap<String, ManagedList<String>> lists = manager.map(Map.of("inner", inner));
            FiberQueue<String> queue = fiber.queue();
            queue.put("there");
            manager.publish("counts", counts);
            manager.publish("lock", lock);
            manager.publish("lists", lists);
            manager.publish("queue", queue);
            manager.publish("office", manager.share(GuestPrograms.Office.class, () -> new GuestPrograms.Clerk(lists)));
            Path file = saved(manager.listen(ManagerEndpoint.of("127.0.0.1", 0)));
            try (MasterJvm guest = program("use", file.toString())) {
                for (int i = 0; i < 30; i++) {
                    lock.lock();
                    counts.put("sum", counts.getOrDefault("sum", 0) + 1);
                    lock.unlock();
                }
                assertThat(guest.awaitLine("thrown")).isEqualTo("on purpose");
                assertThat(guest.awaitLine("left")).isEqualTo("nothing");
                guest.awaitEnd();
                assertThat(counts).containsEntry("sum", 60).containsEntry("guest", 6);
                assertThat(inner).containsExactly("from outside", "through an object");
                assertThat(lists.get("inner of guest")).containsExactly("made outside");
                ManagedList<Long> own = manager.find("guest's", ManagedList.class);
                assertThat(own).containsExactly(guest.pid());
                assertThat(queue.take()).isEqualTo("there and back");
                assertThat(leftIn(tmp)).isEmpty();
                assertThat(LocalFiber.sharedMemoryOf(guest.pid())).isEmpty();
            }
        }
        GuestPrograms.awaitNoThreads();
    }

    private static List<Path> leftIn(Path tmp) {
        try (Stream<Path> files = Files.walk(tmp, 2)) {
            return files.filter(file -> file.getNameCount() - tmp.getNameCount() == 2)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aLockWhoseHolderOutsideIsKilledGoesToTheNextWhoLearnsOfIt() {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = fiber.manager()) {
            ManagedLock lock = manager.lock();
            manager.publish("lock", lock);
            Path file = saved(manager.listen());
            try (MasterJvm holder = program("hold", file.toString())) {
                assertThat(holder.awaitLine("holds")).isEqualTo("1");
                try (MasterJvm next = program("wait", file.toString())) {
                    assertThat(next.awaitLine("waits")).isEqualTo("true");
                    Signal.KILL.send(holder.pid());
                    assertThat(next.awaitLine("has")).isEqualTo("true");
                    next.awaitEnd();
                }
                lock.lock();
                assertThat(lock.wasAbandoned()).isFalse();
                assertThat(lock.epoch()).isEqualTo(3);
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(LocalFiber.sharedMemoryOf(holder.pid()))
                                .isEmpty());
            }
        }
    }

    @Test
    void whoWaitsOutsideIsToldWhenTheManagerIsClosed() {
        try (Fiber fiber = LocalFiber.open()) {
            Manager manager = fiber.manager();
            ManagedLock lock = manager.lock();
            manager.publish("lock", lock);
            lock.lock();
            Path file = saved(manager.listen());
            try (MasterJvm waiting = program("wait", file.toString())) {
                waiting.awaitLine("waits");
                manager.close();
                assertThat(waiting.awaitLine("told")).startsWith("FBR-442").contains("closed by the peer");
                waiting.awaitEnd();
            }
        }
    }

    @Test
    void whoWaitsOutsideIsToldWhenTheProgramOfTheManagerIsKilled() throws InterruptedException {
        Path file = tmp.resolve("endpoint");
        try (MasterJvm host = program("host", file.toString())) {
            host.awaitLine("listens");
            try (ConnectedManager manager = GuestPrograms.connect(ManagerEndpoint.load(file))) {
                ManagedLock lock = manager.find("lock", ManagedLock.class);
                Thread killer = new Thread(() -> {
                    await().atMost(LIMIT).until(lock::isLocked);
                    Signal.KILL.send(host.pid());
                });
                killer.start();
                assertThatThrownBy(lock::lock)
                        .isInstanceOf(FiberException.class)
                        .hasMessageStartingWith("FBR-442")
                        .hasMessageContaining(manager.endpoint().address());
                killer.join();
                assertThatThrownBy(lock::isLocked)
                        .isInstanceOf(FiberException.class)
                        .hasMessageStartingWith("FBR-442");
            }
        }
        GuestPrograms.awaitNoThreads();
    }

    @Test
    void whoWaitsOutsideIsToldWhenTheProcessOfTheManagerIsKilled() {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = fiber.manager()) {
            ManagedLock lock = manager.lock();
            manager.publish("lock", lock);
            lock.lock();
            Path file = saved(manager.listen());
            try (MasterJvm waiting = program("wait", file.toString())) {
                waiting.awaitLine("waits");
                Signal.KILL.send(Long.parseLong(manager.process().id().orElseThrow()));
                assertThat(waiting.awaitLine("told")).startsWith("FBR-400");
                waiting.awaitEnd();
            }
        }
    }

    @Test
    void callersOutsideWhoWaitCostTheManagerNoThreads() {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = fiber.manager()) {
            FiberQueue<Integer> items = manager.queue();
            ManagedMap<String, ManagedList<String>> none = manager.map();
            GuestPrograms.Office office =
                    manager.share(GuestPrograms.Office.class, () -> new GuestPrograms.Clerk(none));
            manager.publish("items", items);
            Path file = saved(manager.listen());
            int threadsThere = office.threads();
            int threadsHere = Thread.getAllStackTraces().size();
            try (MasterJvm guest = program("block", file.toString(), Integer.toString(CALLERS))) {
                guest.awaitLine("asks");
                assertThat(office.threads()).isLessThan(threadsThere + CALLERS / 2);
                assertThat(Thread.getAllStackTraces()).hasSizeLessThan(threadsHere + CALLERS / 2);
                for (int i = 0; i < CALLERS; i++) {
                    items.put(i);
                }
                guest.awaitLine("served");
                guest.awaitEnd();
            }
        }
    }
}
