// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.runtime.platform.SessionDirectory;
import io.fiber.runtime.platform.ShellReaper;
import io.fiber.spec.Secret;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A program that starts jobs, prints the pids of what it has started, and waits to be killed. */
final class MortalMaster {

    private static final String SESSION = "abcdefghij02";

    private MortalMaster() {}

    @SuppressWarnings("resource")
    public static void main(String[] args) throws Exception {
        SessionDirectory directory = SessionDirectory.open(SESSION);
        ShellReaper reaper = new ShellReaper(List.of(Path.of(System.getProperty("java.io.tmpdir"))));
        reaper.removeAtDeath(directory.path());
        LocalBackend backend = new LocalBackend(new Context(directory.path(), reaper));

        Job tree = start(
                backend, "tree", LocalSession.shell("trap '' TERM HUP; sleep 300 & echo $!; wait"), Secret.empty());
        Job stopped =
                start(backend, "stopped", LocalSession.shell("echo up; kill -STOP $$; sleep 300"), Secret.empty());
        Job reading = start(
                backend, "reading", LocalSession.java(Probes.class, List.of(), "bootstrap"), Secret.of(new byte[] {
                    'a', 'b', 'c', 'd'
                }));
        awaitLines(tree, 1);
        awaitLines(stopped, 1);
        awaitLines(reading, 2);
        System.out.println("runs " + tree.id() + " " + tree.logs(1).get(0) + " " + stopped.id() + " " + reading.id());
        new CountDownLatch(1).await();
    }

    private static Job start(LocalBackend backend, String name, JobSpec.Builder spec, Secret bootstrap) {
        return backend.submit(Submission.of(spec.build(), name, bootstrap), event -> {})
                .get(0);
    }

    private static void awaitLines(Job job, int count) {
        while (job.logs(count).size() < count) {
            Thread.onSpinWait();
        }
    }

    private record Context(Path directory, Reaper reaper) implements BackendContext {
        @Override
        public String sessionId() {
            return SESSION;
        }

        @Override
        public Options options() {
            return Options.none();
        }

        @Override
        public Environment environment() {
            return Environment.system();
        }
    }
}
