// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.logging.Logs;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The submission of the jobs of workers that start together. Tells the workers, in the conductor, of events and
 * refusals. Belongs to the thread that submits.
 */
final class JobSubmission {

    private static final System.Logger LOG = Logs.of(JobSubmission.class);

    private final Backend backend;
    private final Conductor conductor;
    private final StartFailureClassifier startFailures;
    private final List<RemoteWorker> workers;
    private int accepted;

    /** Creates the submission of these workers, whose list does not change any more when it is submitted. */
    JobSubmission(
            Backend backend, Conductor conductor, StartFailureClassifier startFailures, List<RemoteWorker> workers) {
        this.backend = backend;
        this.conductor = conductor;
        this.startFailures = startFailures;
        this.workers = workers;
    }

    /** Submits jobs. If the platform does not accept all of them, submits fewer at a time until it accepts none. */
    void submit(Submission submission) {
        Map<String, RemoteWorker> byName = new HashMap<>();
        workers.forEach(worker -> byName.put(worker.name(), worker));
        JobListener listener = event -> onEvent(byName, event);
        int atOnce = workers.size();
        while (accepted < workers.size()) {
            int begin = accepted;
            int end = Math.min(workers.size(), begin + atOnce);
            try {
                List<Job> jobs = backend.submit(
                        new Submission(submission.spec(), submission.instances().subList(begin, end)), listener);
                conductor.execute(() -> submitted(begin, jobs));
                accepted = end;
            } catch (TooManyJobsException e) {
                atOnce = (end - begin) / 2;
                if (atOnce == 0) {
                    refuse(ProcessEnd.Kind.REJECTED, e);
                    return;
                }
            } catch (BackendUnavailableException e) {
                conductor.execute(() -> startFailures.isUnanswered(e));
                refuse(ProcessEnd.Kind.UNAVAILABLE, e);
                return;
            } catch (JobRejectedException e) {
                refuse(ProcessEnd.Kind.REJECTED, e);
                return;
            } catch (BackendException e) {
                refuse(ProcessEnd.Kind.NOT_SUBMITTED, e);
                return;
            } catch (Throwable e) {
                refuse("The backend could not submit the job", e);
                return;
            }
        }
    }

    /** Ends the start of the workers whose jobs have not been accepted. */
    void refuse(ProcessEnd.Kind kind, @Nullable String why) {
        refuse(kind, String.valueOf(why), Optional.empty());
    }

    private void refuse(ProcessEnd.Kind kind, BackendException refusal) {
        refuse(kind, String.valueOf(refusal.getMessage()), Optional.of(refusal));
    }

    private void refuse(ProcessEnd.Kind kind, String why, Optional<BackendException> refusal) {
        List<RemoteWorker> refused = workers.subList(accepted, workers.size());
        conductor.execute(() -> refused.forEach(worker -> worker.machine.onRefused(kind, why, refusal)));
    }

    /**
     * Ends the start of these workers. Everything that a provider throws, even a {@code LinkageError}, is an error in
     * code, so its trace is logged.
     */
    void refuse(String what, Throwable fault) {
        refuse(ProcessEnd.Kind.NOT_SUBMITTED, what + ": " + fault);
        LOG.log(System.Logger.Level.WARNING, what + ": it threw an exception that a provider must not throw.", fault);
    }

    private void submitted(int begin, List<Job> jobs) {
        startFailures.isAnswered();
        for (int i = 0; i < jobs.size(); i++) {
            workers.get(begin + i).onJob(jobs.get(i));
        }
    }

    /** Passes an event on. A failure ends the conductor, because the event may be the end that a start waits for. */
    private void onEvent(Map<String, RemoteWorker> byName, JobEvent event) {
        try {
            RemoteWorker worker = byName.get(event.job().name());
            if (worker != null) {
                conductor.execute(() -> worker.onJobEvent(event));
            }
        } catch (VirtualMachineError e) {
            conductor.fail(e);
            throw e;
        }
    }
}
