// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.runtime.platform.LivingThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnderWayTest {

    private final UnderWay underWay = new UnderWay();

    private static List<Thread> keepers() {
        return LivingThreads.all().stream()
                .filter(thread -> thread.getName().equals("fiber-under-way") && !thread.isDaemon())
                .toList();
    }

    private AutoCloseable kept = () -> {};

    @AfterEach
    void release() throws Exception {
        kept.close();
        await("the end of the thread").until(() -> keepers().isEmpty());
    }

    @Test
    void jvmIsKeptUntilTheLastCallHasEndedThatHadBegun() {
        CompletableFuture<String> call = new CompletableFuture<>();
        CompletableFuture<String> process = new CompletableFuture<>();
        kept = underWay.keepJvm();
        assertThat(underWay.inWords()).isEmpty();
        underWay.add(UnderWay.Kind.CALL, call);
        underWay.add(UnderWay.Kind.PROCESS, process);
        List<Thread> keepers = keepers();
        assertThat(keepers).hasSize(1);
        assertThat(underWay.inWords()).isEqualTo("1 call and 1 process");

        call.complete("done");
        assertThat(underWay.inWords()).isEqualTo("1 process");
        assertThat(keepers.get(0).isAlive()).isTrue();
        process.complete("ended");

        await("the end of the thread").until(() -> !keepers.get(0).isAlive());
        underWay.add(UnderWay.Kind.CALL, new CompletableFuture<>());
        assertThat(keepers()).hasSize(1);
    }

    @Test
    void jvmIsKeptUntilTheCallbacksHaveRun() {
        List<Boolean> idle = new ArrayList<>();
        List<String> dropped = new ArrayList<>();
        CompletableFuture<String> call = new CompletableFuture<>();
        kept = underWay.keepJvm();
        underWay.add(UnderWay.Kind.CALL, call);
        CompletableFuture<Void> read = call.thenAccept(done -> {
            idle.add(underWay.isIdle());
            dropped.add(underWay.inWords());
        });
        call.complete("done");

        assertThat(read).isCompleted();
        assertThat(idle).containsExactly(false);
        assertThat(dropped).containsExactly("");
        assertThat(underWay.isIdle()).isTrue();
    }

    @Test
    void workerIsNotKeptAndDropsNothing() {
        underWay.add(UnderWay.Kind.CALL, new CompletableFuture<>());

        assertThat(keepers()).isEmpty();
        assertThat(underWay.inWords()).isEmpty();
    }
}
