// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.util.concurrent.CountDownLatch;

/** Whether a submission was accepted. The threads of its jobs wait for it before they report an exit. Thread-safe. */
final class Verdict {

    /** The two possible results of a submission. */
    enum Answer {
        /** All its processes were started. */
        TAKEN,
        /** A process could not be started. Those before it are killed, and none of their events is sent. */
        REFUSED
    }

    private final CountDownLatch given = new CountDownLatch(1);
    private volatile Answer answer = Answer.REFUSED;

    void give(Answer value) {
        answer = value;
        given.countDown();
    }

    /** Blocks until there is an answer. */
    Answer await() {
        while (true) {
            try {
                given.await();
                return answer;
            } catch (InterruptedException e) {
                // No code interrupts a job's thread on purpose, and the answer comes at once in any case.
            }
        }
    }
}
