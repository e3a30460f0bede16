// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.flight;

/** A life that becomes an event at its end. */
final class Recorded implements Life {

    private final LifeEvent event;
    private final long beginNs = System.nanoTime();

    Recorded(LifeEvent event, String name) {
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
