// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.RefusedLookupException;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LookupServerTest {

    private static final ProcessPath WORKER = ProcessPath.of(1);

    private final MasterFixture master = new MasterFixture();
    private final List<String> answers = new ArrayList<>();
    private LookupHandler echo = (question, place) -> echo(question, place).bytes();

    /** A call of a process; its answer stands in {@link #answers}. */
    private final class Call implements ServiceCall {
        private final ProcessPath caller;
        private final int operation;

        Call(ProcessPath caller, int operation) {
            this.caller = caller;
            this.operation = operation;
        }

        @Override
        public ProcessPath caller() {
            return caller;
        }

        @Override
        public Request request() {
            return Request.of(operation, text("what"));
        }

        @Override
        public void answer(long argument, SealedPayload result) {
            try {
                PayloadInput in = result.bytes().open();
                String texts = in.readText();
                answers.add(argument + " " + texts + (in.remaining() > 0 ? " " + in.readText() : ""));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void fail(SealedPayload encodedFailure) {
            throw new IllegalStateException("It is answered by an argument of 1.");
        }

        @Override
        public void onAbandoned(Runnable then) {}
    }

    private static SealedPayload text(String text) {
        PayloadOutput out = new PayloadOutput();
        out.writeText(text);
        return SealedPayload.open(out.toPayload());
    }

    private LookupServer server(Executor blocking) {
        RpcRouter router = MasterFixture.routes(master.conductor()).router();
        ProcessContext process = new ProcessContext(
                router, binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
        SessionContext context = new SessionContext(
                master.conductor(),
                process.codecs(),
                Seals.none(),
                blocking,
                Runnable::run,
                SubmissionBudget.ofHeap(),
                process);
        return new LookupServer(Map.of(LookupServer.CLASS, echo), master.supervisor(), context);
    }

    private static SealedPayload echo(PayloadInput question, CallerHost.Reach place) throws IOException {
        String asked = question.readText();
        return text(asked + " from " + place);
    }

    private String answer(LookupServer server, ProcessPath caller, int operation) {
        answers.clear();
        server.onCall(new Call(caller, operation));
        master.conductor().doWork();
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    @Test
    void onlyWorkersOfTheSessionAreAnswered() throws IOException {
        LookupServer server = server(Runnable::run);
        assertThat(master.dialler().bootstrap.processAddress().path()).isEqualTo(WORKER);

        assertThat(answer(server, WORKER, 1)).isEqualTo("0 what from NETWORK");
        for (ProcessPath stranger : List.of(ProcessPath.root(), ProcessPath.of(2), ProcessPath.of(3, 1))) {
            assertThat(answer(server, stranger, 1))
                    .isEqualTo("1 Process " + stranger
                            + " is not a worker of this session. The session answers only its own workers.");
        }
    }

    @Test
    void kindThatTheSessionDoesNotAnswerIsRefused() throws IOException {
        LookupServer server = server(Runnable::run);
        master.dialler();

        assertThat(answer(server, WORKER, 2)).isEqualTo("1 This session does not answer requests of kind 2.");
    }

    @Test
    void refusalHasItsCodeBesideItsReason() throws IOException {
        echo = (question, place) -> {
            throw new RefusedLookupException("FBR-512", "It was closed.");
        };
        LookupServer server = server(Runnable::run);
        master.dialler();

        assertThat(answer(server, WORKER, 1)).isEqualTo("2 FBR-512 It was closed.");
    }

    @Test
    void sessionThatEndsRefuses() throws IOException {
        LookupServer server = server(task -> {
            throw new RejectedExecutionException("closed");
        });
        master.dialler();

        assertThat(answer(server, WORKER, 1))
                .isEqualTo("1 The session cannot answer: it is closing, or it cannot start another thread.");
    }

    @Test
    void questionForWhichNoThreadCanBeStartedIsRefused() throws IOException {
        LookupServer server = server(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        master.dialler();

        assertThat(answer(server, WORKER, 1))
                .isEqualTo("1 The session cannot answer: it is closing, or it cannot start another thread.");
    }

    @Test
    void questionForWhoseAnswerThereIsNoMemoryIsRefused() throws IOException {
        echo = (question, place) -> {
            throw new OutOfMemoryError("Java heap space");
        };
        LookupServer server = server(Runnable::run);
        master.dialler();

        assertThat(answer(server, WORKER, 1)).isEqualTo("1 java.lang.OutOfMemoryError: Java heap space");
    }
}
