// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** What a worker is told about jobs that it asked for. An index counts the instances of the order, from 0. */
sealed interface RemoteJobReply {

    /** The jobs exist; their ids as the platform gives them, in the order of the instances. */
    record Submitted(List<String> ids) implements RemoteJobReply {
        public Submitted {
            ids = List.copyOf(ids);
        }
    }

    /** No job of the order exists. */
    record Refused(Sort sort, String text) implements RemoteJobReply {}

    /** Something happened to a job. */
    record Happened(int index, String id, News news) implements RemoteJobReply {}

    /** What a job wrote last. */
    record Lines(long question, List<String> lines) implements RemoteJobReply {
        public Lines {
            lines = List.copyOf(lines);
        }
    }

    /** What a job wrote cannot be told. */
    record NoLines(long question, Sort sort, String text) implements RemoteJobReply {}

    /** Whether asking again may help. */
    enum Sort {
        /** It cannot be had. */
        PERMANENT,
        /** The platform does not answer now. */
        TRANSIENT;

        /** Returns which sort of refusal an exception is. */
        static Sort of(Throwable refusal) {
            return refusal instanceof BackendUnavailableException ? TRANSIENT : PERMANENT;
        }
    }

    /** What can happen to a job. */
    sealed interface News {
        /** It waits; the platform says why. */
        record Waiting(String reason) implements News {}

        /** It was started. */
        record Running(String host) implements News {}

        /** It will be ended soon. */
        record Preempting(String reason) implements News {}

        /** It has ended. */
        record Ended(JobTermination termination) implements News {}
    }

    /** Returns the bytes that {@link #decode} reads. */
    default Payload encode() {
        PayloadOutput out = new PayloadOutput();
        if (this instanceof Submitted submitted) {
            out.write('S');
            writeTexts(out, submitted.ids());
        } else if (this instanceof Refused refused) {
            out.write('X');
            out.writeText(refused.sort().name());
            out.writeText(refused.text());
        } else if (this instanceof Happened happened) {
            out.write('H');
            out.writeInt(happened.index());
            out.writeText(happened.id());
            writeNews(out, happened.news());
        } else if (this instanceof Lines lines) {
            out.write('L');
            out.writeLong(lines.question());
            writeTexts(out, lines.lines());
        } else if (this instanceof NoLines none) {
            out.write('N');
            out.writeLong(none.question());
            out.writeText(none.sort().name());
            out.writeText(none.text());
        }
        return out.toPayload();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IOException when it is something else
     */
    static RemoteJobReply decode(Payload payload) throws IOException {
        PayloadInput in = payload.open();
        try {
            RemoteJobReply answer = switch (in.readByte()) {
                case 'S' -> new Submitted(readTexts(in));
                case 'X' -> new Refused(Sort.valueOf(in.readText()), in.readText());
                case 'H' -> new Happened(in.readInt(), in.readText(), readNews(in));
                case 'L' -> new Lines(in.readLong(), readTexts(in));
                case 'N' -> new NoLines(in.readLong(), Sort.valueOf(in.readText()), in.readText());
                default -> throw new IOException("The news of a job are of a kind that is not known here.");
            };
            if (in.remaining() > 0) {
                throw new IOException(in.remaining() + " bytes follow the end of the news of a job.");
            }
            return answer;
        } catch (IllegalArgumentException e) {
            throw new IOException("The news of a job, " + payload.length() + " bytes, cannot be read: " + e, e);
        }
    }

    private static void writeNews(PayloadOutput out, News news) {
        if (news instanceof News.Waiting waiting) {
            out.write('W');
            out.writeText(waiting.reason());
        } else if (news instanceof News.Running running) {
            out.write('R');
            out.writeText(running.host());
        } else if (news instanceof News.Preempting preempting) {
            out.write('P');
            out.writeText(preempting.reason());
        } else if (news instanceof News.Ended ended) {
            out.write('E');
            JobTermination termination = ended.termination();
            out.writeText(termination.state().name());
            out.writeText(termination.cause().name());
            out.write(termination.exitCode().isPresent() ? 1 : 0);
            termination.exitCode().ifPresent(out::writeInt);
            out.writeText(termination.detail());
        }
    }

    private static News readNews(PayloadInput in) throws IOException {
        return switch (in.readByte()) {
            case 'W' -> new News.Waiting(in.readText());
            case 'R' -> new News.Running(in.readText());
            case 'P' -> new News.Preempting(in.readText());
            case 'E' -> {
                JobState state = JobState.valueOf(in.readText());
                JobTermination.Cause cause = JobTermination.Cause.valueOf(in.readText());
                OptionalInt exitCode = in.readByte() == 0 ? OptionalInt.empty() : OptionalInt.of(in.readInt());
                yield new News.Ended(new JobTermination(state, cause, exitCode, in.readText()));
            }
            default -> throw new IOException("Something of a kind that is not known here happened to a job.");
        };
    }

    private static void writeTexts(PayloadOutput out, List<String> texts) {
        out.writeVarLong(texts.size());
        texts.forEach(out::writeText);
    }

    private static List<String> readTexts(PayloadInput in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            texts.add(in.readText());
        }
        return texts;
    }
}
