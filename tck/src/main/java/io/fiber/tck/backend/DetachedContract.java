// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Leftover;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.host.SessionIds;
import io.fiber.tck.probe.ProbeMain;
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
            return ended("BKD-803");
        }

        DetachedJob ended(String clauseId) {
            job.test()
                    .await(
                            clauseId,
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

        /** Waits until the program has called this many times, once in each start, and returns the last call. */
        ProbeCall call(String clauseId, int starts) {
            job.test()
                    .await(
                            clauseId,
                            job.test()
                                    .fixture()
                                    .endLimit()
                                    .plus(job.test().fixture().startLimit()),
                            () -> calls().size() >= starts,
                            () -> "the program has called " + calls().size() + " times instead of " + starts
                                    + ", and the run is seen as " + seen() + ".");
            return calls().get(starts - 1);
        }

        private List<ProbeCall> calls() {
            return job.test().beacon().calls(job.token());
        }

        /** Tells the program to ask for another start, and waits for its call. */
        ProbeCall startAgain(String clauseId, int starts) {
            call(clauseId, starts - 1).tell("exit", String.valueOf(JobTermination.TRY_AGAIN));
            return call(clauseId, starts);
        }

        /** Waits until the platform shows this many restarts of the run. */
        DetachedJob restarted(String clauseId, int restarts) {
            job.test()
                    .await(
                            clauseId,
                            job.test().fixture().startLimit(),
                            () -> seen().filter(each -> each.restarts() == restarts)
                                    .isPresent(),
                            () -> "the program was started again " + restarts + " times, and the run is seen as "
                                    + seen() + ".");
            return seen().orElseThrow();
        }

        /** Ends the program in its own way, and removes the run. */
        @Override
        public void close() {
            job.call();
            for (ProbeCall call : calls()) {
                if (!call.isGone()) {
                    call.tell("exit", "0");
                    job.test()
                            .await(
                                    "BKD-203",
                                    job.test().fixture().endLimit(),
                                    call::isGone,
                                    () -> "the program was told to end and still runs.");
                }
            }
            awaitOver();
            leftovers().forEach(other::remove);
        }
    }

    /** Starts a job of a run and hands it over. */
    private Detached detach() {
        return detach(0);
    }

    /** Starts a job of a run whose program may be started again this many times, and hands it over. */
    private Detached detach(int restarts) {
        Backend first = backend();
        assume(first.detachedJobs().isPresent(), "does not declare [jobs that outlive their program]");
        assume(fixture().hasRoomForRuns(), "has no room here for a job that outlives its program");
        String id = SessionIds.next();
        String token = nextName();
        // A class path that this host serves would be gone when the program is started again.
        JobSpec.Builder program =
                restarts == 0 ? probe(token) : fixture().commandJob(ProbeMain.class, beacon().address(), token);
        ProbeJob job = start(
                first,
                program.labels(Map.of(DetachedJobs.RUN, id, DetachedJobs.USER, USER))
                        .output(new JobOutput.None())
                        .restarts(restarts)
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

    @Clause(
            id = "BKD-806",
            says = "a program that exits with 75 is started again in the same run, until it exits with another code",
            check =
                    "that the platform starts the program again with the same arguments and output, counts that, and does"
                            + " not take an end between two starts for that of the run.")
    @Requires({Capability.LABELS, Capability.RESTARTS})
    void programIsStartedAgain() {
        try (Detached detached = detach(2)) {
            DetachedJob found = detached.found();
            assertThat(found.restarts())
                    .as("restarts of a program that was started once")
                    .isZero();
            detached.job().tell("print", "first start");
            ProbeCall second = detached.startAgain("BKD-806", 2);
            DetachedJob restarted = detached.restarted("BKD-806", 1);
            assertThat(restarted.end()).as("end of a run that goes on").isEmpty();
            second.tell("print", "second start");
            second.tell("exit", String.valueOf(EXIT_CODE));
            DetachedJob ended = detached.ended();
            assertThat(startsAfterAWhile(detached)).as("starts of the program").isEqualTo(2);
            assertThat(ended.restarts()).as("restarts at the end").isOne();
            assertThat(detached.log(found, DetachedJobs.Until.END).lines())
                    .as("log of both starts")
                    .containsSubsequence("first start", "second start");
        }
    }

    /** Runs another program to its end, and returns how many times that of the run has been started by then. */
    private int startsAfterAWhile(Detached detached) {
        ProbeJob sentinel = sentinel(detached.other());
        sentinel.exit(0);
        sentinel.ended();
        return detached.calls().size();
    }

    @Clause(
            id = "BKD-807",
            says = "a run whose restarts are used up ends with the exit code of its last start",
            check =
                    "that no more restarts are granted than were asked for, and that the end of the last start is that of"
                            + " the run.")
    @Requires({Capability.LABELS, Capability.RESTARTS})
    void restartsAreCounted() {
        try (Detached detached = detach(1)) {
            detached.found();
            detached.startAgain("BKD-807", 2).tell("exit", String.valueOf(JobTermination.TRY_AGAIN));
            assertThat(detached.ended("BKD-807").end().orElseThrow().exitCode())
                    .as("exit code of a run whose restarts are used up")
                    .isEqualTo(OptionalInt.of(JobTermination.TRY_AGAIN));
            assertThat(startsAfterAWhile(detached))
                    .as("starts of a program that may be started again once")
                    .isEqualTo(2);
        }
    }

    @Clause(
            id = "BKD-808",
            says = "end ends a run that was started again for good",
            check =
                    "that the request reaches the job of the last start, and that the platform does not take the signal for"
                            + " an end after which the program is started again.")
    @Requires({Capability.LABELS, Capability.RESTARTS})
    void endIsForGood() {
        try (Detached detached = detach(5)) {
            detached.found();
            ProbeCall second = detached.startAgain("BKD-808", 2);
            detached.jobs().end(detached.restarted("BKD-808", 1), DetachedJobs.Ending.ASKED);
            await(
                    "BKD-808",
                    fixture().endLimit(),
                    second::isGone,
                    () -> "the program of the second start was not ended; the run is seen as " + detached.seen() + ".");
            detached.awaitOver();
            assertThat(startsAfterAWhile(detached))
                    .as("starts of a run that was ended in its second one")
                    .isEqualTo(2);
        }
    }
}
