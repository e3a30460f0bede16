// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The messages between a worker and its master about jobs, apart from the {@link RemoteJobRequest}: texts. The worker
 * gives a job its name, which no other job of that worker has.
 */
final class JobMessages {

    /** A call: submits jobs. The argument is the number of the worker's object that receives their events. */
    static final int SUBMIT = 1;
    /** A call: asks for the last lines of a job. The texts are its name and the number of lines. */
    static final int LOGS = 2;
    /** Cancels a job, without an answer. The texts are its name and the grace in milliseconds. */
    static final int CANCEL = 3;
    /** Sends the worker what {@link #event} wrote. */
    static final int EVENT = 4;

    /** Argument of an answer: the body has the requested texts. */
    static final int TEXTS = 0;
    /** Argument of an answer: the request was rejected; the body says why. */
    static final int REFUSED = 1;
    /** Argument of an answer: the platform does not answer now; the body says more. */
    static final int UNAVAILABLE = 2;
    /** Argument of an answer: fewer jobs may be accepted; the body says more. */
    static final int TOO_MANY = 3;

    private static final String WAITING = "waiting";
    private static final String RUNNING = "running";
    private static final String PREEMPTING = "preempting";
    private static final String ENDED = "ended";

    private JobMessages() {}

    static Payload texts(List<String> texts) {
        PayloadOutput out = new PayloadOutput();
        out.writeVarLong(texts.size());
        texts.forEach(out::writeText);
        return out.toPayload();
    }

    /**
     * Parses what {@link #texts} wrote.
     *
     * @throws IOException if it is something else
     */
    static List<String> readTexts(Payload payload) throws IOException {
        PayloadInput in = payload.open();
        List<String> texts = new ArrayList<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            texts.add(in.readText());
        }
        if (in.remaining() > 0) {
            throw new IOException(in.remaining() + " bytes follow the end of a message about jobs.");
        }
        return texts;
    }

    /** Returns an event of the job with that name: the name, the platform's id, the kind of event, and details. */
    static List<String> event(String name, JobEvent event) {
        String id = event.job().id();
        if (event instanceof JobEvent.Waiting waiting) {
            return List.of(name, id, WAITING, waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            return List.of(name, id, RUNNING, running.host());
        } else if (event instanceof JobEvent.Preempting preempting) {
            return List.of(name, id, PREEMPTING, preempting.reason());
        } else if (event instanceof JobEvent.Ended ended) {
            JobTermination end = ended.termination();
            String exitCode =
                    end.exitCode().isPresent() ? Integer.toString(end.exitCode().getAsInt()) : "";
            return List.of(name, id, ENDED, end.state().name(), end.cause().name(), exitCode, end.detail());
        }
        throw new IllegalStateException("There is no message for " + event + ".");
    }

    /**
     * Parses what {@link #event} wrote about this job, and sets the job's id.
     *
     * @throws IOException if it is something else
     */
    static JobEvent readEvent(List<String> told, RemoteJob job) throws IOException {
        try {
            job.named(told.get(1));
            String more = told.get(3);
            return switch (told.get(2)) {
                case WAITING -> new JobEvent.Waiting(job, more);
                case RUNNING -> new JobEvent.Running(job, more);
                case PREEMPTING -> new JobEvent.Preempting(job, more);
                case ENDED -> {
                    String exitCode = told.get(5);
                    yield new JobEvent.Ended(
                            job,
                            new JobTermination(
                                    JobState.valueOf(more),
                                    EndCause.valueOf(told.get(4)),
                                    exitCode.isEmpty()
                                            ? OptionalInt.empty()
                                            : OptionalInt.of(Integer.parseInt(exitCode)),
                                    told.get(6)));
                }
                default -> throw new IOException("The event of a job has an unknown kind.");
            };
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException("The event of a job, " + told + ", cannot be read: " + e, e);
        }
    }
}
