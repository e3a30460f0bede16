// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.pbs;

import io.fiber.spi.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A PBS of shell scripts, whose queue is a directory and whose only node is this host.
 *
 * @param directory has {@code bin} and {@code queue}
 */
record SmallPbs(Path directory) {

    static SmallPbs in(Path directory) {
        try {
            Path bin = Files.createDirectory(directory.resolve("bin"));
            Files.createDirectory(directory.resolve("queue"));
            for (String name : List.of("common", "qsub", "qstat", "qsig", "qdel", "runner")) {
                try (InputStream script = SmallPbs.class.getResourceAsStream("/pbs/" + name)) {
                    Files.copy(script, bin.resolve(name));
                }
                Files.setPosixFilePermissions(bin.resolve(name), PosixFilePermissions.fromString("rwx------"));
            }
            return new SmallPbs(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the environment of this process with the programs in front of its PATH. */
    Environment environment() {
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.merge("PATH", directory.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        return Environment.of(variables, Map.of());
    }

    /** Kills a job behind the back of PBS. */
    void kill(String id) {
        signal("KILL", id);
    }

    /** Suspends a running job. */
    void suspend(String id) {
        signal("STOP", id);
        note("S", id);
    }

    /** Lets a suspended job go on. */
    void resume(String id) {
        note("R", id);
        signal("CONT", id);
    }

    private Path job(String id) {
        return directory.resolve("queue").resolve(id.replaceFirst("\\[(\\d+)].*", ".$1"));
    }

    private void note(String state, String id) {
        try {
            Path written = Files.writeString(job(id).resolve("state.noted"), state + "\n");
            Files.move(written, job(id).resolve("state"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void signal(String name, String id) {
        try {
            String group = Files.readString(job(id).resolve("group")).strip();
            new ProcessBuilder("sh", "-c", "kill -s " + name + " -- -" + group)
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until PBS has noted the end of each job, for the backend may know it earlier. */
    void awaitEnds() {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!left().isEmpty() && System.nanoTime() - deadlineNs < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** Returns the jobs that have not ended, each with its state. */
    List<String> left() {
        List<String> left = new ArrayList<>();
        try (Stream<Path> jobs = Files.list(directory.resolve("queue"))) {
            for (Path job : jobs.filter(each -> each.getFileName().toString().matches("\\d+\\.\\d+"))
                    .toList()) {
                String state = Files.readString(job.resolve("state")).strip();
                if (!state.equals("C")) {
                    left.add(job.getFileName() + " " + state);
                }
            }
            return left;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server does not answer while there is this file. */
    Path down() {
        return directory.resolve("queue/down");
    }

    /** It accepts no job while there is this file. */
    Path slow() {
        return directory.resolve("queue/slow");
    }

    /** It loses its next answer to a submission if there is this file. */
    Path lost() {
        return directory.resolve("queue/lost");
    }
}
