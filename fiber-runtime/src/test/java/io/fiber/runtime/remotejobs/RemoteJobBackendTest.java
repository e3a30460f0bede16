// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.security.Seals;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemoteJobBackendTest {

    private final List<Outgoing> sent = new CopyOnWriteArrayList<>();
    private final AtomicBoolean up = new AtomicBoolean(true);
    private final RemoteJobBackend backend = new RemoteJobBackend(new RemoteJobBackend.UpLink(
            message -> up.get() && sent.add(message), Seals.none(), CallerHost.sameHost(), new AtomicLong()));

    @AfterEach
    void close() {
        up.set(false);
        backend.close();
        backend.close();
    }

    private static JobSpec.Builder spec() {
        return JobSpec.builder(new Program.Command(List.of("true")));
    }

    private static Submission submission(JobSpec.Builder spec) {
        return Submission.of(spec.build(), "process-1", Secret.empty());
    }

    @Test
    void aWishThatDoesNotTravelIsRefused() {
        assertThatThrownBy(() -> backend.submit(submission(spec().image("debian")), event -> {}))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageContaining("image=Optional[debian]");
        assertThat(sent).isEmpty();
    }

    @Test
    void nothingIsAskedForWhenTheWorkerEnds() {
        up.set(false);
        assertThatThrownBy(() -> backend.submit(submission(spec()), event -> {}))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("This worker ends");
    }

    @Test
    void aClosedBackendTakesNothing() {
        backend.close();
        assertThatThrownBy(() -> backend.submit(submission(spec()), event -> {}))
                .isInstanceOf(IllegalStateException.class);
        assertThat(sent).isEmpty();
    }

    @Test
    void anInterruptedSubmissionIsTakenBack() {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                backend.submit(submission(spec()), event -> {});
            } catch (BackendUnavailableException e) {
                thrown.complete(e);
            }
        });
        caller.start();
        await("the request").until(() -> sent.size() == 1);
        caller.interrupt();
        assertThat(thrown.join()).hasMessageContaining("Interrupted");
        assertThat(sent).as("a request and a cancel").hasSize(2);
    }

    @Test
    void closingEndsTheWaitOfWhoeverSubmits() {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                backend.submit(submission(spec()), event -> {});
            } catch (BackendUnavailableException e) {
                thrown.complete(e);
            }
        });
        caller.start();
        await("the request").until(() -> sent.size() == 1);
        up.set(false);
        backend.close();
        assertThat(thrown.join()).hasMessageContaining("closed");
    }
}
