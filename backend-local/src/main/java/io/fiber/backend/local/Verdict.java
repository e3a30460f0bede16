// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.util.concurrent.CountDownLatch;

/** Whether a submission was taken: awaited by the threads of its jobs before they tell of an end. Thread-safe. */
final class Verdict {

    /** The two ways in which a submission can go. */
    enum Answer {
        /** All its processes were started. */
        TAKEN,
        /** One could not be started; those before it are killed, and no event of them is sent. */
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
                // No code interrupts a job's thread on purpose; the answer comes at once in any case.
            }
        }
    }
}
