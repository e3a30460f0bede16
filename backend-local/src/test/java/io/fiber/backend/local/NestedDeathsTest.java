// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.ProcessState;
import io.fiber.tck.fault.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that have processes of their own and are killed, or whose master is. */
@Tag("slow")
class NestedDeathsTest {

    @TempDir
    Path directory;

    @AfterEach
    void thisProcessHasLeftNothing() {
        NestedPrograms.assertNothingIsLeftOf(LocalFiber.pid());
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private String read(String name) {
        return NestedPrograms.read(directory.resolve(name));
    }

    @Test
    void whatAProcessStartedEndsWhenItIsKilled() {
        String deepest = file("deepest");
        String middle = file("middle");
        try (Fiber fiber = LocalFiber.open()) {
            FiberProcess process = fiber.process(() -> {
                FiberProcess child = Fiber.current().process(() -> {
                    FiberProcess last = Fiber.current().process(NestedPrograms::forever);
                    NestedPrograms.write(deepest, last.id().orElseThrow());
                    NestedPrograms.forever();
                });
                NestedPrograms.write(middle, child.id().orElseThrow());
                NestedPrograms.forever();
            });
            long deepestPid = Long.parseLong(read("deepest"));
            long middlePid = Long.parseLong(read("middle"));
            long topPid = Long.parseLong(process.id().orElseThrow());
            assertThat(ProcessHandle.of(deepestPid)).isPresent();

            ProcessHandle.of(topPid).orElseThrow().destroyForcibly();

            NestedPrograms.assertGone(topPid);
            NestedPrograms.assertGone(middlePid);
            NestedPrograms.assertGone(deepestPid);
            assertThat(process.onExit().join().state()).isEqualTo(ProcessState.LOST);
        }
    }

    @Test
    void terminatingTheRootEndsWhatItsWorkersStarted() {
        String child = file("child");
        Fiber fiber = LocalFiber.open();
        try {
            fiber.process(() -> {
                FiberProcess own = Fiber.current().process(NestedPrograms::forever);
                NestedPrograms.write(child, own.id().orElseThrow());
                NestedPrograms.forever();
            });
            long pid = Long.parseLong(read("child"));
            fiber.shutdownNow();
            NestedPrograms.assertGone(pid);
        } finally {
            fiber.shutdownNow();
        }
    }

    @Test
    void aKilledRootTakesTheGrandchildrenAndTheirFilesWithIt() throws Exception {
        try (MasterJvm root = new MasterJvm(directory, Root.class, List.of(), file("grandchild"))) {
            long grandchild = Long.parseLong(read("grandchild"));
            assertThat(ProcessHandle.of(grandchild)).isPresent();
            assertThat(sessions()).isNotEmpty();

            Signal.KILL.send(root.pid());

            NestedPrograms.assertGone(grandchild);
            await("the directories of the sessions gone")
                    .atMost(LocalFiber.LIMIT)
                    .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                    .untilAsserted(() -> assertThat(sessions()).isEmpty());
        }
    }

    private List<Path> sessions() throws IOException {
        try (Stream<Path> files = Files.walk(directory, 2)) {
            return files.filter(path -> path.getFileName().toString().matches("[a-z0-9]{12}"))
                    .toList();
        }
    }

    /** A program whose process has a process of its own, and that waits to be killed. */
    static final class Root {
        private Root() {}

        public static void main(String[] arguments) throws InterruptedException {
            String file = arguments[0];
            LocalFiber.open().process(() -> {
                FiberProcess child = Fiber.current().process(NestedPrograms::forever);
                NestedPrograms.write(file, child.id().orElseThrow());
                NestedPrograms.forever();
            });
            NestedPrograms.forever();
        }
    }
}
