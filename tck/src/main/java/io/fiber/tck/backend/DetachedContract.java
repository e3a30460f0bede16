// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.Leftover;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.host.SessionIds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Clauses BKD-8xx: jobs that the platform keeps without the program that submitted them, and what sessions leave there.
 */
abstract class DetachedContract extends BackendContract {

    private static final String USER = "tck";
    private static final int EXIT_CODE = 7;

    /**
     * A job of a run that was handed over, and another session that observes it.
     *
     * @param id id of the run
     */
    private record Detached(ProbeJob job, String id, Backend other) implements AutoCloseable {

        DetachedJobs jobs() {
            return other.detachedJobs().orElseThrow();
        }

        Optional<DetachedJob> seen() {
            return jobs().all().stream().filter(each -> each.run().equals(id)).findFirst();
        }

        List<Leftover> leftovers() {
            String session = sessionId();
            return other.leftovers().stream()
                    .filter(each -> each.sessionId().equals(session))
                    .toList();
        }

        private String sessionId() {
            return job.test().context().sessionId();
        }

        DetachedJob found() {
            job.test()
                    .await(
                            "BKD-801",
                            job.test().fixture().startLimit(),
                            () -> seen().isPresent(),
                            () -> "run '" + id + "' is not among " + jobs().all() + ".");
            return seen().orElseThrow();
        }

        DetachedJob ended() {
            job.test()
                    .await(
                            "BKD-803",
                            job.test().fixture().endLimit(),
                            () -> seen().flatMap(DetachedJob::end).isPresent(),
                            () -> "the program has ended, and the run is seen as " + seen() + ".");
            return seen().orElseThrow();
        }

        String log(DetachedJob of, DetachedJobs.Until until) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                jobs().copyLog(of, until, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toString(StandardCharsets.UTF_8);
        }

        /** Waits until the platform sees that the program has ended; it may have nothing left of it. */
        void awaitOver() {
            job.test()
                    .await(
                            "BKD-803",
                            job.test().fixture().endLimit(),
                            () -> seen().map(each -> each.end().isPresent()).orElse(true),
                            () -> "the program has ended, and the run is seen as " + seen() + ".");
        }

        /** Ends the program in its own way, and removes the run. */
        @Override
        public void close() {
            if (!job.call().isGone()) {
                job.exit(0);
                job.gone("BKD-203");
            }
            awaitOver();
            leftovers().forEach(other::remove);
        }
    }

    /** Starts a job of a run and hands it over. */
    private Detached detach() {
        Backend first = backend();
        assume(first.detachedJobs().isPresent(), "does not declare [jobs that outlive their program]");
        assume(fixture().hasRoomForRuns(), "has no room here for a job that outlives its program");
        String id = SessionIds.next();
        String token = nextName();
        ProbeJob job = start(
                first,
                probe(token)
                        .labels(Map.of(DetachedJobs.RUN, id, DetachedJobs.USER, USER))
                        .output(new JobOutput.None())
                        .build(),
                token,
                Secret.empty());
        job.call();
        DetachedJobs own = first.detachedJobs().orElseThrow();
        await(
                "BKD-801",
                fixture().startLimit(),
                own::handOver,
                () -> "the program has started, and handOver returns false for "
                        + fixture().startLimit() + ".");
        return new Detached(job, id, open().backend());
    }

    @Clause(
            id = "BKD-801",
            says = "a run that was handed over is found by another backend, and outlives the close of its own",
            check = "that the platform keeps the labels of the job, and that close and the reaper leave it alone.")
    @Requires(Capability.LABELS)
    void runIsFoundAndOutlivesItsBackend() {
        try (Detached detached = detach()) {
            DetachedJob found = detached.found();
            backend().close();
            ProbeJob sentinel = sentinel(detached.other());
            assertThat(detached.job().call().isGone())
                    .as("the program is gone after the close of the backend that handed it over")
                    .isFalse();
            sentinel.exit(0);
            sentinel.ended();
            assertThat(List.of(found.sessionId(), found.id(), found.name(), found.end()))
                    .as("session, id, name and end of the job")
                    .containsExactly(
                            context().sessionId(),
                            detached.job().job().id(),
                            detached.job().job().name(),
                            Optional.empty());
            assertThat(found.user().orElse(USER)).as("user of the run").isEqualTo(USER);
        }
    }

    /** Starts another program; a job that is ended by mistake has ended by the time this one has started. */
    private ProbeJob sentinel(Backend backend) {
        String token = nextName();
        ProbeJob job = start(backend, probe(token).build(), token, Secret.empty());
        job.call();
        return job;
    }

    @Clause(
            id = "BKD-802",
            says = "copyLog copies the output of a run, and until its end also later output as it arrives",
            check = "that a log is read from its beginning and, until the end, also includes lines that"
                    + " were written after the request.")
    @Requires(Capability.LABELS)
    void logIsWhole() throws Exception {
        try (Detached detached = detach()) {
            DetachedJob found = detached.found();
            detached.job().tell("print", "first");
            await(
                    "BKD-802",
                    fixture().endLimit(),
                    () -> detached.log(found, DetachedJobs.Until.NOW).contains("first\n"),
                    () -> "the log does not have what was written; it is '"
                            + detached.log(found, DetachedJobs.Until.NOW) + "'.");
            ByteArrayOutputStream followed = new ByteArrayOutputStream();
            FutureTask<?> following = new FutureTask<>(() -> {
                detached.jobs().copyLog(found, DetachedJobs.Until.END, followed);
                return true;
            });
            new Thread(following, "fiber-tck-log").start();
            await(
                    "BKD-802",
                    fixture().endLimit(),
                    () -> followed.toString(StandardCharsets.UTF_8).contains("first\n"),
                    () -> "the program runs, but of its log only this arrived: '" + followed + "'.");
            detached.job().tell("complain", "second");
            detached.job().tell("print", "third");
            detached.job().exit(0);
            following.get(fixture().endLimit().toSeconds(), TimeUnit.SECONDS);
            assertThat(followed.toString(StandardCharsets.UTF_8).lines())
                    .as("the log when the copy until the end has ended")
                    .contains("first", "second", "third");
        }
    }

    @Clause(
            id = "BKD-803",
            says = "the end of a run remains visible, with exit code and log, until the run is removed",
            check = "what the platform forgets of jobs that have ended, and whether the backend removes them itself.")
    @Requires(Capability.LABELS)
    void endStays() {
        try (Detached detached = detach()) {
            DetachedJob found = detached.found();
            detached.job().tell("print", "the last line");
            detached.job().exit(EXIT_CODE);
            detached.job().gone("BKD-203");
            DetachedJob ended = detached.ended();
            backend().close();
            assertThat(ended.end().orElseThrow().exitCode())
                    .as("exit code of the run, seen as '%s'", ended.state())
                    .isEqualTo(OptionalInt.of(EXIT_CODE));
            assertThat(detached.ended().end()).as("end after the close").isEqualTo(ended.end());
            assertThat(detached.log(found, DetachedJobs.Until.END))
                    .as("log after the end")
                    .contains("the last line\n");
        }
    }

    @Clause(
            id = "BKD-804",
            says = "end asks a run to end, or ends it at once, and does not affect runs that have ended",
            check = "that another backend's request reaches the program itself, as cancel does.")
    @Requires(Capability.LABELS)
    void otherBackendEndsIt() {
        try (Detached detached = detach()) {
            DetachedJob found = detached.found();
            ProbeJob job = detached.job();
            job.tell("stubborn", "");
            detached.jobs().end(found, DetachedJobs.Ending.ASKED);
            await(
                    "BKD-804",
                    fixture().endLimit(),
                    () -> job.call().saw("asked-to-end"),
                    () -> "the program was not asked to end.");
            assertThat(job.call().isGone())
                    .as("the program that ignores it is gone")
                    .isFalse();
            detached.jobs().end(found, DetachedJobs.Ending.FORCED);
            job.gone("BKD-804");
            detached.awaitOver();
            detached.jobs().end(found, DetachedJobs.Ending.FORCED);
        }
    }

    @Clause(
            id = "BKD-805",
            says = "leftovers contains what an ended run has left and nothing of a live session, and remove deletes it",
            check = "how the backend recognizes a live session: by a job that waits, or by a program of"
                    + " another user or host.")
    @Requires(Capability.LABELS)
    void leftoversAreRemoved() {
        try (Detached detached = detach()) {
            detached.found();
            Opened living = open();
            ProbeJob alive = sentinel(living.backend());
            assertThat(detached.leftovers()).as("leftovers of a run that lives").isEmpty();
            detached.job().exit(0);
            detached.job().gone("BKD-203");
            detached.ended();
            await(
                    "BKD-805",
                    fixture().endLimit(),
                    () -> !detached.leftovers().isEmpty(),
                    () -> "leftovers does not have session '" + context().sessionId() + "', whose run has ended: "
                            + detached.other().leftovers() + ".");
            assertThat(detached.other().leftovers())
                    .extracting(Leftover::sessionId)
                    .as("sessions that have left something")
                    .doesNotContain(living.context().sessionId());
            detached.leftovers().forEach(detached.other()::remove);
            await(
                    "BKD-805",
                    fixture().endLimit(),
                    () -> detached.leftovers().isEmpty() && detached.seen().isEmpty(),
                    () -> "it was removed, but these are still there: " + detached.leftovers() + ", and the run "
                            + detached.seen() + ".");
            alive.exit(0);
            alive.ended();
        }
    }
}
