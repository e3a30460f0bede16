// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ProgramThreadsTest {

    @Test
    void threadsThatKeepAProcessAreNamed() {
        ProgramThreads threads = new ProgramThreads();
        CountDownLatch end = new CountDownLatch(1);
        start("keeps", end, false);
        start("keeps nothing", end, true);
        List<String> notices = new ArrayList<>();

        threads.awaitEnd(Duration.ZERO, notice -> {
            notices.add(notice);
            end.countDown();
        });

        assertThat(notices).hasSize(1);
        assertThat(notices.get(0))
                .startsWith("FBR-315 The program has returned, but its process keeps running because of non-daemon"
                        + " threads that the program started: ")
                .contains("'keeps'")
                .doesNotContain("'keeps nothing'")
                .endsWith(". End them, for example by shutting down their executor, or make them daemon threads.");
    }

    @Test
    void programWithoutThreadsIsNotWaitedFor() {
        List<String> notices = new ArrayList<>();
        new ProgramThreads().awaitEnd(Duration.ZERO, notices::add);

        assertThat(notices).isEmpty();
    }

    private static void start(String name, CountDownLatch end, boolean daemon) {
        Thread thread = new Thread(
                () -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(daemon);
        thread.start();
    }
}
