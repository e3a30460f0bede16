// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Frame;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.ExitCodes;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Containers that Docker keeps without the program that made them, by their label. Thread-safe; waits for Docker. */
final class DetachedContainers extends DetachedRuns {

    /** What stands around the text of an entry: its stream and its time. */
    private static final long JSON_BYTES =
            "{'log':'','stream':'stdout','time':'2026-01-01T00:00:00.000000000Z'}\n".length();

    /** How many more bytes than the character itself. */
    private static final int UNICODE_ESCAPE_BYTES = 5;

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
                    container.getLabels(), new Seen(id, Instant.ofEpochSecond(container.getCreated())), read(state)));
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
                        ? JobTermination.failed(Cause.OUT_OF_MEMORY, OptionalInt.of(code), "")
                        : ExitCodes.termination(code));
    }

    @Override
    public void copyLog(DetachedJob job, Until until, OutputStream to) throws IOException {
        try (Copy copy = engine.logs()
                .read(
                        engine.log(job.id()).withTimestamps(true).withFollowStream(until == Until.END),
                        new Copy(job, to))) {
            try {
                engine.ask(docker -> ended(copy));
            } catch (BackendUnavailableException e) {
                copy.check();
                throw e;
            }
            copy.check();
        } catch (Refusal e) {
            throw noLog(job, "Docker says: " + e.words() + ". 'docker ps -a' shows whether the container is there.");
        }
    }

    private static Copy ended(Copy copy) {
        try {
            copy.awaitCompletion();
            return copy;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("Reading the log of a container was interrupted.", e);
        }
    }

    @Override
    public void end(DetachedJob job, Ending ending) {
        try {
            engine.signal(job.id(), ending == Ending.ASKED ? "TERM" : "KILL");
        } catch (Refusal e) {
            throw refused("Docker", e.words(), e);
        }
    }

    /** Writes each entry of a log, and says when its beginning may be gone. */
    private static final class Copy extends LogEntries.Receiver {
        private final DetachedJob job;
        private final OutputStream to;
        private final Instant begun = Instant.now();
        private final LogPosition position = new LogPosition();
        private long keptBytes;
        private volatile @Nullable IOException failure;
        private volatile String damage = "";

        Copy(DetachedJob job, OutputStream to) {
            this.job = job;
            this.to = to;
        }

        @Override
        public void onNext(Frame frame) {
            byte[] text = position.read(frame.getPayload()).orElseThrow();
            count(text);
            try {
                to.write(text);
                to.flush();
            } catch (IOException e) {
                failure = e;
                onError(e);
            }
        }

        /** What is written while it is read is no sign of what was removed before. */
        private void count(byte[] text) {
            boolean isBelow = keptBytes < ContainerPlan.ROTATED_LOG_BYTES;
            keptBytes += keptBytes(text);
            if (isBelow
                    && keptBytes >= ContainerPlan.ROTATED_LOG_BYTES
                    && position.second().orElse(0) <= begun.getEpochSecond()) {
                System.getLogger(DetachedContainers.class.getName())
                        .log(
                                Level.WARNING,
                                "The output of run " + job.run() + " (job " + job.id() + ") may lack its beginning:"
                                        + " Docker keeps the last " + ContainerPlan.KEPT_DETACHED_LOG
                                        + " of it; what came before is gone.");
            }
        }

        /** Returns what an entry takes in Docker's file, where it is JSON. */
        private static long keptBytes(byte[] text) {
            long bytes = JSON_BYTES + text.length;
            for (byte each : text) {
                if (each == '"' || each == '\\' || each == '\n' || each == '\r' || each == '\t') {
                    bytes++;
                } else if ((each >= 0 && each < ' ') || each == '<' || each == '>' || each == '&') {
                    bytes += UNICODE_ESCAPE_BYTES;
                }
            }
            return bytes;
        }

        @Override
        void onDamage(String why) {
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
