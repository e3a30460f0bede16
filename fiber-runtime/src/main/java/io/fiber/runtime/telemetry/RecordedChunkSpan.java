// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

/** A span that becomes an event at its end. */
final class RecordedChunkSpan implements ChunkSpan {

    private final ChunkEvent event = new ChunkEvent();

    RecordedChunkSpan(Load load) {
        event.pool = load.pool();
        event.worker = load.worker();
        event.chunk = load.chunk();
        event.attempt = load.attempt();
        event.firstTask = load.firstTask();
        event.tasks = load.tasks();
        event.begin();
    }

    @Override
    public void end(Outcome outcome, int answered) {
        event.end();
        event.outcome = outcome.name();
        event.answered = answered;
        event.commit();
    }
}
