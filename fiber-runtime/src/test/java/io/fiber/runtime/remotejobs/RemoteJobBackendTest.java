// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.Tree;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spec.Secret;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker that asks its master for jobs, and the master's side. The test's thread runs both conductors. */
class RemoteJobBackendTest {

    private static final Duration GRACE = Duration.ofSeconds(3);

    private final Tree tree = new Tree();
    private final Tree.Node root = tree.root(Seals.none());
    private final Tree.Node worker = root.worker(1);
    private final Platform platform = new Platform();
    /** What the master has given to threads that may block. */
    private final ArrayDeque<Runnable> blocking = new ArrayDeque<>();

    private Executor threads = blocking::add;

    private final long server = root.router().host(server()).object();
    private final RemoteJobBackend backend = backend(worker);

    /** The master's own backend. */
    private static final class Platform implements Backend {
        final List<Submission> submissions = new ArrayList<>();
        final List<PlatformJob> jobs = new ArrayList<>();
        JobListener listener = event -> {};
        Optional<RuntimeException> refusal = Optional.empty();
        Runnable beforeReturning = () -> {};

        @Override
        public CallerHost callerHost() {
            return CallerHost.sameHost();
        }

        @Override
        public List<Job> submit(Submission submission, JobListener newListener) {
            refusal.ifPresent(thrown -> {
                throw thrown;
            });
            submissions.add(submission);
            listener = newListener;
            submission.instances().forEach(instance -> jobs.add(new PlatformJob(instance.name())));
            beforeReturning.run();
            return List.copyOf(jobs);
        }

        @Override
        public void close() {}
    }

    private static final class PlatformJob implements Job {
        private final String name;
        final List<Duration> cancels = new ArrayList<>();
        Supplier<List<String>> lines = List::of;

        PlatformJob(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String id() {
            return "id of " + name;
        }

        @Override
        public JobState state() {
            return JobState.RUNNING;
        }

        @Override
        public void cancel(Duration grace) {
            cancels.add(grace);
        }

        @Override
        public List<String> logs(int lastLines) {
            List<String> all = lines.get();
            return all.subList(Math.max(0, all.size() - lastLines), all.size());
        }
    }

    private RemoteJobServer server() {
        ProcessContext process = new ProcessContext(
                root.router(),
                binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
        SessionContext context = new SessionContext(
                root.router().conductor(),
                process.codecs(),
                Seals.none(),
                task -> threads.execute(task),
                Runnable::run,
                SubmissionBudget.ofHeap(),
                process);
        return new RemoteJobServer(
                platform,
                wanted -> spec().build(),
                path -> path.equals(ProcessPath.of(1)) ? Optional.of("worker") : Optional.empty(),
                context);
    }

    private RemoteJobBackend backend(Tree.Node node) {
        return new RemoteJobBackend(node.router(), server, CallerHost.sameHost());
    }

    @AfterEach
    void close() {
        worker.router().conductor().onClose();
        backend.close();
        backend.close();
    }

    private static JobSpec.Builder spec() {
        return JobSpec.builder(new Program.Command(List.of("true")));
    }

    private static Submission submission(JobSpec.Builder spec) {
        return Submission.of(spec.build(), "process-1", Secret.empty());
    }

    /** Runs both processes and what the master does in threads that may block. */
    private void settle() {
        tree.settle();
        for (Runnable task = blocking.poll(); task != null; task = blocking.poll()) {
            task.run();
            tree.settle();
        }
    }

    /** A thread that asks for a job, and what it gets. */
    private static final class Asking {
        final CompletableFuture<List<Job>> jobs = new CompletableFuture<>();
        final Thread thread;

        Asking(RemoteJobBackend backend, JobListener listener) {
            thread = new Thread(() -> {
                try {
                    jobs.complete(backend.submit(submission(spec()), listener));
                } catch (RuntimeException e) {
                    jobs.completeExceptionally(e);
                }
            });
            thread.start();
        }
    }

    private Job job(JobListener listener) {
        Asking asking = new Asking(backend, listener);
        await("the jobs").until(() -> {
            settle();
            return asking.jobs.isDone();
        });
        return asking.jobs.join().get(0);
    }

    /** A worker may say anything: its master goes on, and cancels what can be understood. */
    @Test
    void cancelThatCannotBeReadIsLeftOut() {
        job(event -> {});
        ObjectAddress master = new ObjectAddress(root.router().processAddress().program(), ProcessPath.root(), server);
        for (List<String> texts : List.of(
                List.<String>of(), List.of("process-1"), List.of("process-1", "soon"), List.of("process-1", "-5"))) {
            SealedPayload body = Seals.none().close(JobMessages.texts(texts));
            worker.router().tell(master, Request.of(JobMessages.CANCEL, body));
            settle();
        }
        assertThat(platform.jobs.get(0).cancels).containsExactly(Duration.ZERO);
    }

    private void assertRefused(RemoteJobBackend asked, Class<? extends RuntimeException> type, String message) {
        Asking asking = new Asking(asked, event -> {});
        await("the refusal").until(() -> {
            settle();
            return asking.jobs.isDone();
        });
        assertThatThrownBy(asking.jobs::join)
                .hasCauseExactlyInstanceOf(type)
                .cause()
                .hasMessage(message);
    }

    @Test
    void jobIsSubmittedUnderANameOfItsOwnAndItsEventsArrive() {
        ConcurrentLinkedQueue<JobEvent> events = new ConcurrentLinkedQueue<>();
        Job job = job(events::add);

        assertThat(platform.submissions.get(0).instances())
                .singleElement()
                .satisfies(instance -> assertThat(instance.name()).isEqualTo("worker-process-1"));
        assertThat(job.name()).isEqualTo("process-1");
        assertThat(job.id()).isEqualTo("id of worker-process-1");

        platform.listener.onEvent(new JobEvent.Running(platform.jobs.get(0), "node7"));
        platform.listener.onEvent(new JobEvent.Ended(platform.jobs.get(0), JobTermination.exited(3)));
        settle();
        await("the events").until(() -> events.size() == 2);
        assertThat(events)
                .containsExactly(new JobEvent.Running(job, "node7"), new JobEvent.Ended(job, JobTermination.exited(3)));
        assertThat(job.state()).isEqualTo(JobTermination.exited(3).state());
    }

    @Test
    void cancelReachesTheJob() {
        Job job = job(event -> {});
        job.cancel(GRACE);
        settle();
        assertThat(platform.jobs.get(0).cancels).containsExactly(GRACE);
    }

    @Test
    void lastLinesArriveOrTheReasonWhyNot() {
        Job job = job(event -> {});
        worker.router().conductor().addDuty(nowNs -> {
            settle();
            return 0;
        });
        PlatformJob there = platform.jobs.get(0);
        there.lines = () -> List.of("one", "two", "three");
        assertThat(job.logs(2)).containsExactly("two", "three");

        there.lines = () -> {
            throw new UnsupportedOperationException("no logs here");
        };
        assertThatThrownBy(() -> job.logs(2))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("no logs here");

        there.lines = () -> {
            throw new BackendUnavailableException("not now");
        };
        assertThatThrownBy(() -> job.logs(2))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessage("FBR-139 not now");
    }

    @Test
    void refusalOfTheBackendArrivesAsWhatItIs() {
        platform.refusal = Optional.of(new JobRejectedException("FBR-106 no GPU here"));
        assertRefused(backend, JobRejectedException.class, "FBR-106 no GPU here");
        platform.refusal = Optional.of(new BackendUnavailableException("slurmctld does not answer"));
        assertRefused(backend, BackendUnavailableException.class, "FBR-139 slurmctld does not answer");
        platform.refusal = Optional.of(new TooManyJobsException("FBR-121 this user may have 2 jobs"));
        assertRefused(backend, TooManyJobsException.class, "FBR-121 this user may have 2 jobs");
    }

    @Test
    void requestForWhichTheMasterCanStartNoThreadIsRefusedForNowAndACancelIsCarriedOut() {
        Job job = job(event -> {});
        threads = task -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        assertRefused(
                backend,
                BackendUnavailableException.class,
                "FBR-139 The session that holds the backend is ending or cannot start more threads; it accepts no"
                        + " requests now.");
        job.cancel(GRACE);
        settle();
        assertThat(platform.jobs.get(0).cancels).containsExactly(GRACE);
    }

    @Test
    void processThatIsNoWorkerOfTheSessionGetsNoJobs() {
        RemoteJobBackend strangers = backend(root.worker(2));
        assertRefused(
                strangers,
                JobRejectedException.class,
                "FBR-139 The process 0.2 is not a worker of this session, which starts jobs for its own workers only.");
        assertThat(platform.submissions).isEmpty();
        strangers.close();
    }

    @Test
    void jobsOfAWorkerThatHasEndedAreEndedByForce() {
        job(event -> {});
        root.lose(worker, "it was killed");
        settle();
        assertThat(platform.jobs.get(0).cancels).containsExactly(Duration.ZERO);
    }

    @Test
    void aWishThatDoesNotTravelIsRefused() {
        assertThatThrownBy(() ->
                        backend.submit(submission(spec().output(new JobOutput.Files(Path.of("/logs")))), event -> {}))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageContaining("The master of a worker decides where the output of the worker's jobs goes,")
                .hasMessageContaining("/logs");
        settle();
        assertThat(platform.submissions).isEmpty();
    }

    @Test
    void nothingIsAskedForWhenTheWorkerEnds() {
        worker.router().conductor().onClose();
        assertThatThrownBy(() -> backend.submit(submission(spec()), event -> {}))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessage("FBR-139 The master of this worker can no longer be asked for jobs: This session is"
                        + " closed, or its process is ending.");
    }

    @Test
    void aClosedBackendTakesNothing() {
        backend.close();
        assertThatThrownBy(() -> backend.submit(submission(spec()), event -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The backend of this worker is closed; it takes no more jobs.");
        settle();
        assertThat(platform.submissions).isEmpty();
    }

    /** A submission that has left the worker when its thread is interrupted. */
    private Asking interruptedSubmission() {
        Asking asking = new Asking(backend, event -> {});
        await("the request").until(() -> {
            tree.settle();
            return blocking.size() == 1;
        });
        asking.thread.interrupt();
        await("the end of the wait").until(asking.jobs::isCompletedExceptionally);
        return asking;
    }

    @Test
    void anInterruptedSubmissionIsTakenBack() {
        Asking asking = interruptedSubmission();
        assertThatThrownBy(asking.jobs::join)
                .hasCauseExactlyInstanceOf(BackendUnavailableException.class)
                .cause()
                .hasMessage("FBR-139 Interrupted while the master was asked for jobs.");
        settle();
        assertThat(platform.jobs.get(0).cancels).containsExactly(Duration.ZERO);
    }

    @Test
    void aSubmissionThatWasInterruptedAndThenRefusedIsNotWaitedFor() {
        interruptedSubmission();
        platform.refusal = Optional.of(new JobRejectedException("FBR-106 no GPU here"));
        settle();
        assertThat(platform.jobs).isEmpty();
        backend.close();
        tree.settle();
        assertThat(blocking).as("cancels of what was not submitted").isEmpty();
    }

    @Test
    void aJobThatIsSubmittedWhileItsWorkerEndsIsEndedByForce() {
        platform.beforeReturning = () -> {
            root.lose(worker, "it was killed");
            tree.settle();
        };
        new Asking(backend, event -> {});
        await("the job").until(() -> {
            settle();
            return platform.jobs.stream().anyMatch(job -> !job.cancels.isEmpty());
        });
        assertThat(platform.jobs.get(0).cancels).containsExactly(Duration.ZERO);
    }

    @Test
    void eventsAreOfTheJobThatTheyName() {
        ConcurrentLinkedQueue<JobEvent> events = new ConcurrentLinkedQueue<>();
        CompletableFuture<List<Job>> asked = new CompletableFuture<>();
        Submission two = new Submission(
                spec().build(),
                List.of(
                        new Submission.Instance("one", Secret.empty()),
                        new Submission.Instance("two", Secret.empty())));
        new Thread(() -> asked.complete(backend.submit(two, events::add))).start();
        await("the jobs").until(() -> {
            settle();
            return asked.isDone();
        });
        platform.listener.onEvent(new JobEvent.Ended(platform.jobs.get(1), JobTermination.exited(0)));
        platform.listener.onEvent(new JobEvent.Running(platform.jobs.get(0), "node7"));
        settle();
        await("the events").until(() -> events.size() == 2);
        List<Job> jobs = asked.join();
        assertThat(events)
                .containsExactly(
                        new JobEvent.Ended(jobs.get(1), JobTermination.exited(0)),
                        new JobEvent.Running(jobs.get(0), "node7"));
        jobs.get(0).cancel(GRACE);
        settle();
        assertThat(platform.jobs.get(0).cancels).containsExactly(GRACE);
        assertThat(platform.jobs.get(1).cancels).isEmpty();
    }

    @Test
    void closingEndsTheWaitOfWhoeverSubmits() throws InterruptedException {
        Asking asking = new Asking(backend, event -> {});
        await("the request").until(() -> {
            tree.settle();
            return blocking.size() == 1;
        });
        Thread closing = new Thread(backend::close);
        closing.start();
        // It waits for the end of what was submitted, which does not come.
        closing.interrupt();
        closing.join();
        await("the end of the wait").until(asking.jobs::isCompletedExceptionally);
        assertThatThrownBy(asking.jobs::join).cause().hasMessage("FBR-139 The session of this worker was closed.");
    }
}
