// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a worker and its master tell each other about jobs, beside the {@link RemoteJobRequest}. An index counts the
 * instances of a submission, from 0.
 */
final class JobMessages {

    /** A call: submits jobs. The argument is the number of the worker's object that hears of their events. */
    static final int SUBMIT = 1;
    /** A call: asks for the last lines of a job. The argument is as in {@link #SUBMIT}; the body, index and number of lines. */
    static final int LOGS = 2;
    /** Cancels a job; nothing answers. The argument is as in {@link #SUBMIT}; the body, index and grace in milliseconds. */
    static final int CANCEL = 3;
    /** Tells the worker what happened to the job whose index is the argument. */
    static final int EVENT = 4;

    /** Argument of an answer: the body has the texts that were asked for. */
    static final int TEXTS = 0;
    /** Argument of an answer: it cannot be had; the body says why. */
    static final int REFUSED = 1;
    /** Argument of an answer: the platform does not answer now; the body says more. */
    static final int UNAVAILABLE = 2;

    private JobMessages() {}

    /** Returns the body of a call or a message about one job. */
    static Payload aboutJob(int index, long number) {
        PayloadOutput out = new PayloadOutput();
        out.writeInt(index);
        out.writeLong(number);
        return out.toPayload();
    }

    /** Returns the bytes that {@link #readTexts} reads. */
    static Payload texts(List<String> texts) {
        PayloadOutput out = new PayloadOutput();
        out.writeVarLong(texts.size());
        texts.forEach(out::writeText);
        return out.toPayload();
    }

    /**
     * Reads what {@link #texts} wrote.
     *
     * @throws IOException when it is something else
     */
    static List<String> readTexts(Payload payload) throws IOException {
        PayloadInput in = payload.open();
        List<String> texts = new ArrayList<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            texts.add(in.readText());
        }
        requireEnd(in);
        return texts;
    }

    /** Returns the bytes that {@link #readEvent} reads. */
    static Payload event(JobEvent event) {
        PayloadOutput out = new PayloadOutput();
        out.writeText(event.job().id());
        if (event instanceof JobEvent.Waiting waiting) {
            out.write('W');
            out.writeText(waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            out.write('R');
            out.writeText(running.host());
        } else if (event instanceof JobEvent.Preempting preempting) {
            out.write('P');
            out.writeText(preempting.reason());
        } else if (event instanceof JobEvent.Ended ended) {
            out.write('E');
            JobTermination termination = ended.termination();
            out.writeText(termination.state().name());
            out.writeText(termination.cause().name());
            out.write(termination.exitCode().isPresent() ? 1 : 0);
            termination.exitCode().ifPresent(out::writeInt);
            out.writeText(termination.detail());
        } else {
            throw new IllegalStateException("There is no message for " + event + ".");
        }
        return out.toPayload();
    }

    /**
     * Reads what {@link #event} wrote, and tells the job its id.
     *
     * @throws IOException when it is something else
     */
    static JobEvent readEvent(Payload payload, RemoteJob job) throws IOException {
        PayloadInput in = payload.open();
        try {
            job.named(in.readText());
            JobEvent event = switch (in.readByte()) {
                case 'W' -> new JobEvent.Waiting(job, in.readText());
                case 'R' -> new JobEvent.Running(job, in.readText());
                case 'P' -> new JobEvent.Preempting(job, in.readText());
                case 'E' -> new JobEvent.Ended(job, readTermination(in));
                default -> throw new IOException("Something of a kind that is not known here happened to a job.");
            };
            requireEnd(in);
            return event;
        } catch (IllegalArgumentException e) {
            throw new IOException("The event of a job, " + payload.length() + " bytes, cannot be read: " + e, e);
        }
    }

    private static JobTermination readTermination(PayloadInput in) throws IOException {
        JobState state = JobState.valueOf(in.readText());
        JobTermination.Cause cause = JobTermination.Cause.valueOf(in.readText());
        OptionalInt exitCode = in.readByte() == 0 ? OptionalInt.empty() : OptionalInt.of(in.readInt());
        return new JobTermination(state, cause, exitCode, in.readText());
    }

    private static void requireEnd(PayloadInput in) throws IOException {
        if (in.remaining() > 0) {
            throw new IOException(in.remaining() + " bytes follow the end of a message about jobs.");
        }
    }
}
