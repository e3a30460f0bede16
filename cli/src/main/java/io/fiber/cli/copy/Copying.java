// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.Pipe;
import io.fiber.ProcessLostException;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.JobEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/** A copy between this host and the files that processes of a backend see. Not thread-safe. */
public final class Copying {

    private static final String MOUNT = "/fiber/volume";
    private static final Set<String> BACKEND_KEYS = Set.of("backend", "fiber.backend");
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final int LAST_LINES = 5;

    private final Terms terms;
    private final Direction direction;
    private final Place.Here here;
    private final Place.There there;

    /**
     * What a copy uses.
     *
     * @param provider the selected backend
     * @param settings of the session, by key
     * @param image image of the process on the backend; empty for the backend's own
     * @param told receives the events of that process, in any thread
     * @param meter receives the progress
     */
    public record Terms(
            BackendProvider provider,
            Map<String, String> settings,
            Optional<String> image,
            Consumer<JobEvent> told,
            Meter meter) {}

    /** Creates a copy without starting anything. */
    public Copying(Terms terms, Direction direction, Place.Here here, Place.There there) {
        this.terms = terms;
        this.direction = direction;
        this.here = here;
        this.there = there;
    }

    /**
     * Copies. Starts a process on the backend and waits for it, including the time in the cluster's queue; it is gone
     * when this returns.
     *
     * @return how much was copied
     * @throws FiberException FBR-559 if the backend has no such places, FBR-560 to FBR-565 if something cannot be read
     *     or written, FBR-566 if the copy was interrupted. Complete files then have their names, and nothing else is
     *     left
     */
    public Totals run() {
        CopyRoot ground = ground();
        FiberBuilder builder =
                Fiber.builder().backend(new CopyProvider(terms.provider(), volume(), terms.image(), terms.told()));
        terms.settings().forEach((key, value) -> {
            if (!BACKEND_KEYS.contains(key)) {
                builder.set(key, value);
            }
        });
        Fiber session = builder.open();
        try {
            Totals totals = run(session, ground);
            session.close();
            return totals;
        } finally {
            session.shutdownNow();
        }
    }

    private CopyRoot ground() {
        boolean volumes = terms.provider().capabilities().contains(Capability.VOLUMES);
        String name = terms.provider().name();
        if (volumes && there.volume().isEmpty()) {
            throw new FiberException(
                    "FBR-559",
                    "The place '" + there + "' names no volume, and files in a container of the backend '" + name
                            + "' disappear with the container; expected VOLUME:PATH.");
        }
        if (!volumes && there.volume().isPresent()) {
            throw new FiberException(
                    "FBR-559",
                    "The place '" + there + "' names a volume, but the backend '" + name
                            + "' has no volumes; expected :PATH, a path as its processes see it, absolute or relative"
                            + " to your home there. Or name another backend with --backend.");
        }
        return volumes
                ? new CopyRoot(MOUNT, there.volume().orElseThrow() + ":", name)
                : new CopyRoot(CopyRoot.HOME, ":", name);
    }

    private Optional<Volume> volume() {
        Optional<Volume> volume = there.volume().map(name -> Volume.of(name, MOUNT));
        return direction == Direction.THERE ? volume : volume.map(Volume::readOnly);
    }

    private Totals run(Fiber session, CopyRoot ground) {
        Pipe<String, Object> pipe = session.pipe();
        try (Connection<String, Object> line = pipe.first()) {
            FiberProcess process = session.processBuilder(new FarHalf(pipe.second(), direction, ground, there.path()))
                    .name("cp")
                    .start();
            awaitReady(line, process);
            return run(line, process);
        }
    }

    /**
     * Waits for the first message. A process that ends before it leaves the pipe open, because another process might
     * use that end.
     */
    private void awaitReady(Connection<String, Object> line, FiberProcess process) {
        boolean heard = line.poll(LOOK);
        while (!heard) {
            boolean alive = process.isAlive();
            heard = line.poll(LOOK);
            if (!heard && !alive) {
                throw cut(process);
            }
        }
        try {
            line.receive();
        } catch (EndOfStreamException e) {
            throw cut(process);
        }
    }

    private Totals run(Connection<String, Object> line, FiberProcess process) {
        try {
            if (direction == Direction.THERE) {
                // Its verdict arrives before the end only if it has given up.
                try (LineOutput out = new LineOutput(line, () -> line.poll(Duration.ZERO))) {
                    new Sending(CopyRoot.here(), here.text(), terms.meter()).run(out);
                }
            } else {
                try (LineInput in = new LineInput(line)) {
                    new Receiving(CopyRoot.here(), here.text(), terms.meter()).run(in);
                    in.drain();
                }
            }
        } catch (IOException e) {
            // Its verdict says why, if it could send one.
            throw failure(line, process);
        }
        Verdict verdict = verdict(line).orElseThrow(() -> cut(process));
        if (verdict instanceof Verdict.Done done) {
            return done.totals();
        }
        throw new FiberException(((Verdict.Failed) verdict).message());
    }

    private FiberException failure(Connection<String, Object> line, FiberProcess process) {
        return verdict(line)
                .filter(Verdict.Failed.class::isInstance)
                .map(verdict -> new FiberException(((Verdict.Failed) verdict).message()))
                .orElseGet(() -> cut(process));
    }

    private static Optional<Verdict> verdict(Connection<String, Object> line) {
        try {
            Verdict verdict = (Verdict) line.receive();
            line.send(FarHalf.TAKEN);
            return Optional.of(verdict);
        } catch (FiberException e) {
            return Optional.empty();
        }
    }

    private FiberException cut(FiberProcess process) {
        String end = end(process);
        List<String> lines = terms.provider().capabilities().contains(Capability.LOGS) && !process.isAlive()
                ? process.logs(LAST_LINES)
                : List.of();
        return new FiberException(
                "FBR-566",
                "The copy was cut off: the process '" + process.name() + "' on the backend '"
                        + terms.provider().name() + "' " + end
                        + ". The files that were copied completely are in place, and there are no partial"
                        + " ones. Copy again."
                        + (lines.isEmpty() ? "" : " Its last lines: " + String.join(" | ", lines)));
    }

    private static String end(FiberProcess process) {
        try {
            OptionalInt code = process.join(END_LIMIT);
            return code.isPresent() ? "ended with exit code " + code.getAsInt() : "does not answer";
        } catch (ProcessLostException e) {
            return "is lost: " + e.getMessage();
        }
    }
}
