// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.function.RemoteRunnable;
import io.fiber.tck.fault.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The workers of a pool that have run their initializer and live; each leaves a note in a directory. */
record ReadyWorkers(Path directory) {

    /** Returns the initializer that leaves the note. */
    RemoteRunnable initializer() {
        String name = directory.toString();
        return () -> Files.createFile(Path.of(name, LocalFiber.pid() + ".worker"));
    }

    /** Returns their process ids in ascending order. */
    List<Long> pids() {
        List<Long> living = new ArrayList<>();
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(directory, "*.worker")) {
            for (Path note : notes) {
                String name = note.getFileName().toString();
                long pid = Long.parseLong(name.substring(0, name.indexOf('.')));
                if (Signal.isRunning(pid)) {
                    living.add(pid);
                } else {
                    // Its number may soon be that of another process.
                    Files.delete(note);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        living.sort(null);
        return living;
    }

    /** Returns them if at most one of {@code workers} is still being started, and otherwise nothing to kill. */
    List<Long> victims(int workers) {
        List<Long> ready = pids();
        return ready.size() < workers - 1 ? List.of() : ready;
    }
}
