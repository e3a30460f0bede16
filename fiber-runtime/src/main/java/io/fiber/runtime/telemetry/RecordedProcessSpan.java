// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

/** A span that becomes an event at its end. */
final class RecordedProcessSpan implements ProcessSpan {

    private final SpanEvent event;
    private final long beginNs = System.nanoTime();

    RecordedProcessSpan(SpanEvent event, String name) {
        this.event = event;
        event.name = name;
        event.begin();
    }

    @Override
    public void ready() {
        event.startUp = System.nanoTime() - beginNs;
    }

    @Override
    public void end(End end) {
        event.end();
        event.jobId = end.jobId();
        event.state = end.state();
        event.cause = end.cause();
        event.commit();
    }
}
