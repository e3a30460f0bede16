// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.pool.scheduling.Chunk;
import io.fiber.runtime.pool.scheduling.Loss;
import io.fiber.runtime.pool.scheduling.PoolMachine;
import io.fiber.runtime.pool.scheduling.ResultHeader;
import io.fiber.runtime.pool.scheduling.TaskFunction;
import io.fiber.runtime.process.ProcessEnd;
import io.fiber.runtime.process.RemoteWorker;
import io.fiber.runtime.process.WorkerOwner;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.protocol.codec.BegunDecoder;
import io.fiber.runtime.protocol.codec.DroppedDecoder;
import io.fiber.runtime.protocol.codec.ResultDecoder;
import io.fiber.runtime.protocol.codec.ShortenedDecoder;
import io.fiber.runtime.protocol.codec.StuckDecoder;
import io.fiber.runtime.protocol.codec.UnreadyDecoder;
import java.time.Duration;
import org.agrona.collections.IntHashSet;
import org.jspecify.annotations.Nullable;

/**
 * One worker of a pool: what it was sent, and how far it has come. What it says, and its end, become events of the
 * pool's machine. Belongs to the conductor.
 */
final class PoolWorker implements WorkerOwner {

    final int number;
    private final PoolDriver driver;
    private final PoolMachine machine;
    private final ResultDecoder result = new ResultDecoder();
    /** Ids of the functions that it was sent. */
    private final IntHashSet known = new IntHashSet();

    @Nullable
    RemoteWorker remote;

    private boolean killed;
    private boolean initializing;
    /** What its initializer threw. */
    private @Nullable SealedPayload failure;

    PoolWorker(int number, PoolDriver driver) {
        this.number = number;
        this.driver = driver;
        this.machine = driver.machine;
    }

    /** Sends a chunk, after its function if the worker does not know that; false when the way is full. */
    boolean offer(Chunk chunk) {
        RemoteWorker worker = remote;
        return worker != null && define(worker, chunk.function()) && worker.offer(new Assignment(chunk));
    }

    private boolean define(RemoteWorker worker, TaskFunction function) {
        if (known.contains(function.id())) {
            return true;
        }
        if (!worker.offer(Messages.define(function.id(), function.payload()))) {
            return false;
        }
        known.add(function.id());
        return true;
    }

    void forget(int function) {
        if (known.remove(function) && remote != null) {
            remote.post(Messages.forget(function));
        }
    }

    void kill() {
        killed = true;
        if (remote != null) {
            remote.terminate(Duration.ZERO);
        }
    }

    @Override
    public void onRegistered(RemoteWorker worker) {
        remote = worker;
        if (killed) {
            worker.terminate(Duration.ZERO);
        }
    }

    @Override
    public void onWelcomed(RemoteWorker worker) {
        driver.staff.initializer().ifPresent(payload -> {
            initializing = true;
            worker.post(Messages.define(WorkerRole.START_FUNCTION, payload));
        });
    }

    @Override
    public void onReady(RemoteWorker worker) {
        initializing = false;
        machine.onWorkerReady(number, driver.supervisor.nowNs());
    }

    @Override
    public void onMessage(RemoteWorker worker, Message message) {
        switch (message.templateId()) {
            case ResultDecoder.TEMPLATE_ID -> onResult(message);
            case BegunDecoder.TEMPLATE_ID -> {
                BegunDecoder begun = message.as(new BegunDecoder());
                machine.onBegun(number, begun.chunk(), begun.attempt(), begun.item());
            }
            case DroppedDecoder.TEMPLATE_ID -> {
                DroppedDecoder dropped = message.as(new DroppedDecoder());
                machine.onDropped(number, dropped.chunk(), dropped.attempt());
            }
            case ShortenedDecoder.TEMPLATE_ID -> {
                ShortenedDecoder shortened = message.as(new ShortenedDecoder());
                machine.onShortened(number, shortened.chunk(), shortened.attempt(), shortened.count());
            }
            case StuckDecoder.TEMPLATE_ID -> {
                StuckDecoder stuck = message.as(new StuckDecoder());
                machine.onStuck(number, stuck.chunk(), stuck.attempt());
            }
            case UnreadyDecoder.TEMPLATE_ID -> failure = message.payload();
            default -> {}
        }
    }

    private void onResult(Message message) {
        message.as(result);
        ResultHeader answer = new ResultHeader(
                result.chunk(),
                result.attempt(),
                result.firstItem(),
                result.count(),
                result.failed(),
                result.busyNs(),
                result.mayBeRetried() != 0);
        machine.onResult(number, answer, message.payload(), driver.supervisor.nowNs());
    }

    @Override
    public void onLeaving(RemoteWorker worker) {
        machine.onLeaving(number);
    }

    @Override
    public void onEnded(RemoteWorker worker, ProcessEnd end) {
        driver.ended(number, worker.job());
        Loss loss = new Loss(worker.title(), end);
        SealedPayload threw = failure;
        if (threw == null) {
            tellEnd(loss);
        } else {
            driver.staff.failures().read(worker.title(), threw, thrown -> {
                driver.warnOnce(thrown);
                tellEnd(loss.by(thrown));
            });
        }
    }

    private void tellEnd(Loss loss) {
        Loss inStage = initializing ? loss.at(Loss.Stage.INITIALIZING) : loss;
        machine.onWorkerEnded(number, inStage, driver.supervisor.nowNs());
        driver.count();
    }
}
