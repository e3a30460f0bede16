// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

/** A span that becomes an event at its end. */
final class RecordedTaskSpan implements TaskSpan {

    private final TaskEvent event = new TaskEvent();

    RecordedTaskSpan(long chunk, int attempt, int item) {
        event.chunk = chunk;
        event.attempt = attempt;
        event.item = item;
        event.begin();
    }

    @Override
    public void returned() {
        end("");
    }

    @Override
    public void threw(Throwable thrown) {
        end(thrown.getClass().getName());
    }

    private void end(String thrown) {
        event.end();
        event.thrown = thrown;
        event.commit();
    }
}
