// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.platform.LivingThreads;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LateThreadsTest {

    @Test
    void threadsThatWereStartedSinceAreNamedWithThePlaceWhereTheyStand() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        Thread old = new Thread(() -> waitFor(entered, end), "of the program");
        old.start();
        Set<Thread> before = new HashSet<>(LivingThreads.all());
        Thread hook = new Thread(() -> waitFor(entered, end), "flush the sink");
        try {
            hook.start();
            entered.await();

            assertThat(LateThreads.since(before))
                    .anyMatch(late -> late.startsWith("'flush the sink' at " + LateThreadsTest.class.getName() + ".")
                            && late.contains("(LateThreadsTest.java:"))
                    .noneMatch(late -> late.contains("of the program"));
        } finally {
            end.countDown();
            hook.join();
            old.join();
        }

        assertThat(LateThreads.since(before)).noneMatch(late -> late.contains("flush the sink"));
    }

    private static void waitFor(CountDownLatch entered, CountDownLatch end) {
        entered.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
