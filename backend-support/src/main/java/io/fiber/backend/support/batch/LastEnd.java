// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes events on, and cancels the reaper's order when the last job of a submission has ended. */
public final class LastEnd implements JobListener {

    private final JobListener listener;
    private final Reaper.Registration registration;
    private final AtomicInteger left;

    /** Creates a listener for all jobs of a submission. */
    public LastEnd(Submission submission, JobListener listener, Reaper.Registration registration) {
        this.listener = requireNonNull(listener, "listener");
        this.registration = requireNonNull(registration, "registration");
        this.left = new AtomicInteger(submission.instances().size());
    }

    @Override
    public void onEvent(JobEvent event) {
        if (event instanceof JobEvent.Ended && left.decrementAndGet() == 0) {
            registration.cancel();
        }
        listener.onEvent(event);
    }
}
