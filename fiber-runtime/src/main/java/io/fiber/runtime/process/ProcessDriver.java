// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static java.util.Objects.requireNonNull;

import io.fiber.ProcessState;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.protocol.codec.UnreadyDecoder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs one program, as the conductor sees it. What callers may ask is in volatile fields and futures; the
 * rest belongs to the conductor.
 */
final class ProcessDriver implements WorkerOwner {

    /**
     * How it ended, and what it said last.
     *
     * @param end how
     * @param lastLines what it wrote last
     * @param failure what its program threw, serialized
     */
    record Outcome(ProcessEnd end, List<String> lastLines, Optional<SealedPayload> failure) {}

    /** Is completed when the process runs, or has ended. */
    final CompletableFuture<@Nullable Void> running = new CompletableFuture<>();
    /** Is completed when the process has ended. */
    final CompletableFuture<Outcome> ended = new CompletableFuture<>();

    private volatile @Nullable RemoteWorker remote;
    private volatile ProcessState state = ProcessState.SUBMITTED;
    private Optional<SealedPayload> failure = Optional.empty();
    private volatile boolean hasRun;
    private @Nullable Duration graceBeforeRegistered;
    private @Nullable SealedPayload program;

    /** Sets what the process runs, before the conductor is told to start it. */
    void runs(SealedPayload sealedProgram) {
        program = sealedProgram;
    }

    @Override
    public void onRegistered(RemoteWorker worker) {
        remote = worker;
        if (graceBeforeRegistered != null) {
            worker.terminate(graceBeforeRegistered);
        }
    }

    /** Ends the process, as soon as it has been registered. */
    void terminate(Duration grace) {
        RemoteWorker worker = remote;
        if (worker == null) {
            graceBeforeRegistered = grace;
        } else {
            worker.terminate(grace);
            if (!ended.isDone() && !worker.state().isFinal()) {
                state = worker.state();
            }
        }
    }

    @Nullable
    RemoteWorker remote() {
        return remote;
    }

    /** Tells whether it has ended without being asked to, and its program never ran. */
    boolean hasFailedToStart() {
        return state == ProcessState.FAILED || (state == ProcessState.LOST && !hasRun);
    }

    ProcessState state() {
        return state;
    }

    @Override
    public void onWelcomed(RemoteWorker worker) {
        worker.post(Messages.define(WorkerRole.FIRST_FUNCTION, requireNonNull(program, "program")));
        state = worker.state();
    }

    @Override
    public void onReady(RemoteWorker worker) {
        state = worker.state();
        hasRun = true;
        running.complete(null);
    }

    @Override
    public void onMessage(RemoteWorker worker, Message message) {
        if (message.templateId() == UnreadyDecoder.TEMPLATE_ID) {
            failure = Optional.of(message.payload());
        }
    }

    @Override
    public void onEnded(RemoteWorker worker, ProcessEnd end, List<String> lastLines) {
        state = end.state();
        ended.complete(new Outcome(end, lastLines, failure));
        running.complete(null);
    }
}
