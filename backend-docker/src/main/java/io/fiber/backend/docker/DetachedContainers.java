// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.Container;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.ExitCodes;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Containers that Docker keeps without the program that created them, found by their label. Waits for Docker.
 * Thread-safe.
 */
final class DetachedContainers extends DetachedRuns {

    /** What Docker's log has beside the text of an entry. */
    private static final int ENTRY_BYTES =
            "{'log':'','stream':'stdout','time':'2026-01-01T00:00:00.000000000Z'}\n".length();

    private static final long AGAIN_MS = 200;

    private final Engine engine;
    private final String host;

    /**
     * Creates it.
     *
     * @param host the name of Docker's host
     */
    DetachedContainers(Engine engine, String host, BooleanSupplier handOver) {
        super(handOver);
        this.engine = engine;
        this.host = host;
    }

    @Override
    public List<DetachedJob> all() {
        List<DetachedJob> jobs = new ArrayList<>();
        try {
            List<Container> found = engine.ask(docker -> docker.listContainersCmd()
                    .withShowAll(true)
                    .withLabelFilter(Set.of(RUN))
                    .exec());
            for (Container container : found) {
                add(jobs, container);
            }
            return List.copyOf(jobs);
        } catch (Refusal e) {
            throw refused("Docker", e.words(), e);
        }
    }

    /** Adds a container, unless it has been removed since it was listed. */
    private void add(List<DetachedJob> jobs, Container container) {
        String id = container.getId().substring(0, DockerJob.SHORT_ID);
        try {
            ContainerState state = engine.inspect(container.getId()).getState();
            jobs.add(of(
                    container.getLabels(),
                    new Seen(id, Instant.ofEpochSecond(container.getCreated()), 0),
                    read(state)));
        } catch (Refusal e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private State read(ContainerState state) {
        String word = String.valueOf(state.getStatus());
        if (Boolean.TRUE.equals(state.getRunning())) {
            return State.open(Boolean.TRUE.equals(state.getPaused()) ? "is paused on " + host : "runs on " + host);
        }
        if (word.equals("created")) {
            return State.open("has not started on " + host);
        }
        Long told = state.getExitCodeLong();
        int code = told == null ? 0 : told.intValue();
        boolean isMemory = Boolean.TRUE.equals(state.getOOMKilled()) && code != 0;
        return State.ended(
                isMemory
                        ? JobTermination.failed(EndCause.OUT_OF_MEMORY, OptionalInt.of(code), "")
                        : ExitCodes.termination(code));
    }

    @Override
    public void copyLog(DetachedJob job, Until until, OutputStream to) throws IOException {
        try {
            Copy copy = new Copy(job, to);
            // Asked before the log is read, so that the last output is not missed.
            while (until == Until.END && !hasEnded(job)) {
                follow(copy);
                rest();
            }
            read(copy, "");
        } catch (Refusal e) {
            throw noLog(job, "Docker says: " + e.words() + ". 'docker ps -a' shows whether the container is there.");
        }
    }

    private boolean hasEnded(DetachedJob job) {
        return read(engine.inspect(job.id()).getState()).end().isPresent();
    }

    /** Reads what arrives until the connection ends, which also happens if Docker is restarted. */
    private void follow(Copy copy) throws IOException {
        try {
            read(copy, "&follow=true");
        } catch (BackendUnavailableException e) {
            System.getLogger(DetachedContainers.class.getName())
                    .log(Level.DEBUG, "The log of a container broke off; reading continues when Docker answers.", e);
        }
    }

    private void read(Copy copy, String options) throws IOException {
        try {
            engine.readLog(
                    copy.job.id(), LogEntries.STAMPS + LogPosition.expectReplay(copy.outs, copy.errs) + options, copy);
        } catch (BackendUnavailableException e) {
            copy.check();
            throw e;
        }
        copy.check();
    }

    private static void rest() {
        try {
            TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static BackendUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new BackendUnavailableException("Reading the log of a container was interrupted.", e);
    }

    @Override
    public void end(DetachedJob job, Ending ending) {
        try {
            engine.signal(job.id(), ending == Ending.ASKED ? "TERM" : "KILL");
        } catch (Refusal e) {
            throw refused("Docker", e.words(), e);
        }
    }

    /** Writes each entry of a log, and reports if its beginning may be lost. */
    private static final class Copy implements LogEntries.Receiver {
        private final DetachedJob job;
        private final OutputStream to;
        private final long begunS = Instant.now().getEpochSecond();
        private final LogPosition outs = new LogPosition();
        private final LogPosition errs = new LogPosition();
        private long bytes;
        private String damage = "";
        private @Nullable IOException failure;

        Copy(DetachedJob job, OutputStream to) {
            this.job = job;
            this.to = to;
        }

        @Override
        public void onEntry(LogEntries.Stream stream, byte[] entry) {
            LogPosition position = stream == LogEntries.Stream.ERR ? errs : outs;
            position.read(entry).ifPresent(text -> {
                count(position, text);
                try {
                    to.write(text);
                    to.flush();
                } catch (IOException e) {
                    failure = e;
                    throw new UncheckedIOException(e);
                }
            });
        }

        /** Output that is written while the log is read does not show what was removed before. */
        private void count(LogPosition position, byte[] text) {
            boolean isBelow = bytes < ContainerPlan.ROTATED_LOG_BYTES;
            bytes += ENTRY_BYTES + text.length;
            for (byte each : text) {
                // As JSON has it: a backslash before it, or the number of the character.
                bytes += "\"\\\n\r\t".indexOf(each) >= 0
                        ? 1
                        : (each >= 0 && each < ' ') || "<>&".indexOf(each) >= 0 ? 5 : 0;
            }
            if (isBelow && bytes >= ContainerPlan.ROTATED_LOG_BYTES && position.second() <= begunS) {
                System.getLogger(DetachedContainers.class.getName())
                        .log(
                                Level.WARNING,
                                "The output of run " + job.run() + " (job " + job.id() + ") may lack its beginning:"
                                        + " Docker keeps the last " + ContainerPlan.KEPT_DETACHED_LOG
                                        + " of it; earlier output is gone.");
            }
        }

        @Override
        public void onDamage(String why) {
            damage = why;
        }

        void check() throws IOException {
            if (failure != null) {
                throw failure;
            }
            if (!damage.isEmpty()) {
                throw noLog(job, "Docker has lost a part of it: " + damage + ". What can be read was printed.");
            }
        }
    }
}
