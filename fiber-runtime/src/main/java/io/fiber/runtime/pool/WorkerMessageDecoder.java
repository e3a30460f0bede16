// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.codec.BegunDecoder;
import io.fiber.runtime.protocol.codec.DroppedDecoder;
import io.fiber.runtime.protocol.codec.ResultDecoder;
import io.fiber.runtime.protocol.codec.ShortenedDecoder;
import io.fiber.runtime.protocol.codec.StuckDecoder;

/** What workers say about their chunks, told to the pool's machine. Belongs to the conductor. */
final class WorkerMessageDecoder {

    private final PoolMachine machine;
    private final WorkerSupervisor supervisor;
    private final ResultDecoder result = new ResultDecoder();

    WorkerMessageDecoder(PoolMachine machine, WorkerSupervisor supervisor) {
        this.machine = machine;
        this.supervisor = supervisor;
    }

    /** Takes a message of the worker of this number; one that is not about chunks is ignored. */
    void hear(int worker, Message message) {
        switch (message.templateId()) {
            case ResultDecoder.TEMPLATE_ID -> onResult(worker, message);
            case BegunDecoder.TEMPLATE_ID -> {
                BegunDecoder begun = message.as(new BegunDecoder());
                machine.onBegun(worker, begun.chunk(), begun.attempt(), begun.item());
            }
            case DroppedDecoder.TEMPLATE_ID -> {
                DroppedDecoder dropped = message.as(new DroppedDecoder());
                machine.onDropped(worker, dropped.chunk(), dropped.attempt());
            }
            case ShortenedDecoder.TEMPLATE_ID -> {
                ShortenedDecoder shortened = message.as(new ShortenedDecoder());
                machine.onShortened(worker, shortened.chunk(), shortened.attempt(), shortened.count());
            }
            case StuckDecoder.TEMPLATE_ID -> {
                StuckDecoder stuck = message.as(new StuckDecoder());
                machine.onStuck(worker, stuck.chunk(), stuck.attempt());
            }
            default -> {}
        }
    }

    private void onResult(int worker, Message message) {
        message.as(result);
        machine.onResult(
                worker,
                new Answer(
                        result.chunk(),
                        result.attempt(),
                        result.firstItem(),
                        result.count(),
                        result.failed(),
                        result.busyNs(),
                        result.mayBeRetried() == 0 ? Answer.Verdict.FINAL : Answer.Verdict.MAY_BE_RETRIED),
                message.payload(),
                supervisor.nowNs());
    }
}
