// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ServiceCall;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the calls of one object in their order, one at a time, on threads of its process. The conductor takes calls; one
 * thread at a time runs them.
 */
final class ObjectHost implements Hosted, Runnable {

    /** After so many calls another object has its turn. */
    private static final int TURN = 64;
    /** What a call is taken for before there was one. */
    private static final long UNKNOWN_NS = Long.MAX_VALUE;
    /** A long call is forgotten after some short ones. */
    private static final int WEIGHT_OF_THE_PAST = 8;

    private final Host host;
    private final Target target;
    private final ConcurrentLinkedQueue<ObjectCall> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private volatile long expectedNs = UNKNOWN_NS;

    ObjectHost(Host host, Target target) {
        this.host = host;
        this.target = target;
    }

    @Override
    public void onCall(ServiceCall call) {
        ObjectCall accepted = new ObjectCall(host.process(), call);
        call.onAbandoned(accepted::abandon);
        waiting.add(accepted);
        if (open.getAndIncrement() == 0) {
            host.execute(this, expectedNs);
        }
    }

    /** Its calls have been abandoned; it holds nothing. */
    @Override
    public void onCallerGone(ProcessPath caller) {}

    @Override
    public void run() {
        for (int i = 0; i < TURN; i++) {
            ObjectCall call = waiting.poll();
            if (call != null) {
                run(call);
            }
            if (open.decrementAndGet() == 0) {
                return;
            }
        }
        host.execute(this);
    }

    /** What a caller could not be told ends the process, which all of them are told. */
    private void run(ObjectCall call) {
        long startNs = System.nanoTime();
        try {
            call.run(target);
        } catch (Throwable thrown) {
            host.process().router().conductor().fail(thrown);
        }
        learn(System.nanoTime() - startNs);
    }

    /** Short calls count slowly and long ones at once: one that waits for something is not to hold up others twice. */
    private void learn(long ns) {
        long known = expectedNs;
        boolean first = known == UNKNOWN_NS;
        expectedNs = first || ns > known ? ns : known - (known - ns) / WEIGHT_OF_THE_PAST;
    }
}
