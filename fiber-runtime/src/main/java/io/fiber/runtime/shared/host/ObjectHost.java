// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.ServiceCall;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the calls of one object in order, one at a time, on threads of its process. The conductor adds them.
 */
final class ObjectHost implements Hosted, Runnable {

    /** After this many calls, another object has its turn. */
    static final int TURN = 64;
    /** The expected time of the first call. */
    private static final long UNKNOWN_NS = Long.MAX_VALUE;
    /** The weight of earlier calls, so that a long call is forgotten after some short ones. */
    private static final int WEIGHT_OF_THE_PAST = 8;

    private final Host host;
    private final ProcessContext process;
    private final Target target;
    private final ConcurrentLinkedQueue<Call> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private volatile long expectedNs = UNKNOWN_NS;

    ObjectHost(Host host, Target target) {
        this.host = host;
        this.process = host.process();
        this.target = target;
    }

    @Override
    public void onCall(ServiceCall call) {
        Call accepted = new Call(call);
        call.onAbandoned(accepted::abandon);
        waiting.add(accepted);
        if (open.getAndIncrement() == 0) {
            host.execute(this, expectedNs);
        }
    }

    @Override
    public void run() {
        for (int i = 0; i < TURN; i++) {
            Call call = waiting.poll();
            if (call != null) {
                run(call);
            }
            if (open.decrementAndGet() == 0) {
                return;
            }
        }
        host.execute(this);
    }

    /** Runs a call. If its caller cannot be told the result, the process ends, which all callers are told. */
    private void run(Call call) {
        long startNs = System.nanoTime();
        try {
            call.run();
        } catch (Throwable thrown) {
            process.router().conductor().fail(thrown);
        }
        learn(System.nanoTime() - startNs);
    }

    /** Short calls count slowly and long ones at once, so that an object whose calls wait delays others only once. */
    private void learn(long ns) {
        long known = expectedNs;
        boolean first = known == UNKNOWN_NS;
        expectedNs = first || ns > known ? ns : known - (known - ns) / WEIGHT_OF_THE_PAST;
    }

    /** A call on its way from the conductor through a thread and back. */
    private final class Call {
        private final ServiceCall call;
        /** Created early, because there may be no memory when it is needed. */
        private final Consumer<Throwable> failing = this::fail;

        private @Nullable Thread runner;
        private boolean abandoned;

        Call(ServiceCall call) {
            this.call = call;
        }

        /** Its caller stopped waiting: it does not start, or is interrupted. Called by the conductor. */
        synchronized void abandon() {
            abandoned = true;
            if (runner != null) {
                runner.interrupt();
            }
        }

        private synchronized boolean begin() {
            runner = abandoned ? null : Thread.currentThread();
            return !abandoned;
        }

        private synchronized void end() {
            runner = null;
            Thread.interrupted();
        }

        /** Runs the call and answers it. */
        void run() {
            if (!begin()) {
                return;
            }
            try {
                ObjectOperation operation = ObjectOperation.of(call.request().operation());
                Object result = target.call(operation, ObjectOperation.arguments(process, call.request()));
                SealedPayload answer = process.seal(result, ObjectOperation.RESULT);
                tell(() -> call.answer(answer));
            } catch (Throwable thrown) {
                Faults.tell(failing, thrown);
            } finally {
                end();
            }
        }

        private void fail(Throwable thrown) {
            PayloadOutput out = new PayloadOutput();
            process.codecs().failures().write(thrown, out);
            SealedPayload failure = process.seals().close(out.toPayload());
            tell(() -> call.fail(failure));
        }

        /** Sends an answer. If the process ends first, its callers are told that instead. */
        private void tell(Runnable command) {
            process.router().conductor().send(command);
        }
    }
}
