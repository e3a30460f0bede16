// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.ResultEncoder;
import java.util.List;
import org.agrona.MutableDirectBuffer;

/** A report from a task thread to its conductor, which delivers it. */
sealed interface Report {

    /** Tells the master and does what follows. Returns false if the link is full; then it is delivered again. */
    boolean deliver(WorkerAgent agent);

    /**
     * The next results of a chunk, or a single failure whose item may be tried again.
     *
     * @param isLast whether these are the last results of the chunk
     */
    record Results(
            long chunk,
            int attempt,
            int firstItem,
            int count,
            int failed,
            boolean mayBeRetried,
            long busyNs,
            SealedPayload payload,
            boolean isLast)
            implements Report, Outgoing {

        private static final long FLOW = 1;

        /** Returns this failure as one after which the item may be tried again. */
        Results forRetry() {
            return new Results(chunk, attempt, firstItem, count, failed, true, busyNs, payload, isLast);
        }

        @Override
        public boolean deliver(WorkerAgent agent) {
            boolean taken = agent.offer(this);
            if (taken && isLast) {
                agent.release(chunk);
            }
            return taken;
        }

        /** Calls of objects may pass large results; other reports keep their place. */
        @Override
        public long flow() {
            return FLOW;
        }

        @Override
        public int headerLength() {
            return MessageHeaderEncoder.ENCODED_LENGTH + ResultEncoder.BLOCK_LENGTH;
        }

        @Override
        public void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
            codecs.result()
                    .wrapAndApplyHeader(buffer, offset, codecs.header())
                    .chunk(chunk)
                    .busyNs(busyNs)
                    .attempt(attempt)
                    .firstItem(firstItem)
                    .count(count)
                    .failed(failed)
                    .mayBeRetried((short) (mayBeRetried ? 1 : 0));
        }
    }

    /** An announced item is about to run. The task thread waits until the master has granted it. */
    record Begun(long chunk, int attempt, int item) implements Report {
        @Override
        public boolean deliver(WorkerAgent agent) {
            return agent.offer(Messages.begun(chunk, attempt, item));
        }
    }

    /** The rest of a cancelled chunk was dropped. */
    record Dropped(long chunk, int attempt) implements Report {
        @Override
        public boolean deliver(WorkerAgent agent) {
            return agent.offer(Messages.dropped(chunk, attempt));
        }
    }

    /**
     * A chunk has ended without saying so in its last message: it was cancelled or recalled meanwhile, or its tasks
     * left actions to run after their results were sent.
     *
     * @param afterwards actions for the conductor, before the worker may end
     */
    record Ended(long chunk, List<Runnable> afterwards) implements Report {
        @Override
        public boolean deliver(WorkerAgent agent) {
            agent.release(chunk);
            afterwards.forEach(Runnable::run);
            return true;
        }
    }

    /**
     * The tasks of a chunk that continues left actions to run after their results were sent.
     *
     * @param afterwards what the conductor is to do
     */
    record Completed(List<Runnable> afterwards) implements Report {
        @Override
        public boolean deliver(WorkerAgent agent) {
            afterwards.forEach(Runnable::run);
            return true;
        }
    }

    /** The initializer has returned. */
    record Initialized() implements Report {
        @Override
        public boolean deliver(WorkerAgent agent) {
            agent.tellReady();
            return true;
        }
    }

    /** The program has returned, and its threads have ended. */
    record ProgramEnded() implements Report {
        @Override
        public boolean deliver(WorkerAgent agent) {
            agent.leave(ExitCode.DONE);
            return true;
        }
    }

    /** The initializer or program has thrown, which ends the worker with this exit code. */
    record Failed(SealedPayload failure, ExitCode exitCode) implements Report {
        @Override
        public boolean deliver(WorkerAgent agent) {
            boolean taken = agent.offer(Messages.unready(failure));
            if (taken) {
                agent.leave(exitCode);
            }
            return taken;
        }
    }
}
