// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.function.RemoteRunnable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A session for a group of tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SessionContract {

    static final Duration LIMIT = Duration.ofSeconds(60);
    static final Duration SHORT = Duration.ofMillis(50);

    private static final int SUDDEN_DEATH = 9;

    private @Nullable Fiber fiber;
    private @Nullable Pool worker;

    abstract FiberBuilder session();

    @BeforeAll
    void openSession() {
        fiber = session().open();
    }

    @AfterAll
    void closeSession() {
        if (fiber != null) {
            fiber.close();
        }
    }

    final Fiber fiber() {
        return requireNonNull(fiber);
    }

    /** Starts a program in a process of its own. */
    final FiberProcess process(RemoteRunnable program) {
        return fiber().process(program);
    }

    /** Runs a program in a process of its own, which must succeed. */
    final void inProcess(RemoteRunnable program) {
        assertEndsWell(process(program));
    }

    /**
     * Runs a program in another process that the tests of the group share, and which continues afterwards. Use it for
     * what a program does, not for how it ends. One program at a time runs there.
     */
    final CompletableFuture<Boolean> elsewhere(RemoteRunnable program) {
        Pool started = worker;
        if (started == null) {
            started = fiber().pool(1);
            worker = started;
        }
        return started.applyAsync(() -> {
            program.run();
            return true;
        });
    }

    static void assertEndsWell(CompletableFuture<Boolean> program) {
        assertThat(program.join()).isTrue();
    }

    static void assertEndsWell(FiberProcess process) {
        int code = process.join();
        process.failure().ifPresent(failure -> {
            throw failure;
        });
        assertThat(code).isZero();
    }

    /** Ends the calling process as a crash of its JVM would. */
    static void die() {
        Runtime.getRuntime().halt(SUDDEN_DEATH);
    }

    /** Runs something in another thread of this process. */
    static CompletableFuture<@Nullable Void> inThread(RemoteRunnable program) {
        CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        program.run();
                        end.complete(null);
                    } catch (Throwable thrown) {
                        end.completeExceptionally(thrown);
                    }
                },
                "kit-thread");
        thread.setDaemon(true);
        thread.start();
        return end;
    }

    static void eventually(String what, BooleanSupplier condition) {
        await(what).atMost(LIMIT).until(condition::getAsBoolean);
    }
}
