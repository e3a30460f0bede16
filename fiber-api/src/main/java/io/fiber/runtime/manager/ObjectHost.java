// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.manager;

import io.fiber.runtime.service.Hosted;
import io.fiber.runtime.service.ProcessPath;
import io.fiber.runtime.service.ServiceCall;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the calls of one object in their order, one at a time, on threads of its process. The conductor takes calls; one
 * thread at a time runs them.
 */
final class ObjectHost implements Hosted, Runnable {

    /** After so many calls another object has its turn. */
    private static final int TURN = 64;

    private final Host host;
    private final Target target;
    private final ConcurrentLinkedQueue<ObjectCall> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();

    ObjectHost(Host host, Target target) {
        this.host = host;
        this.target = target;
    }

    @Override
    public void onCall(ServiceCall call) {
        ObjectCall accepted = new ObjectCall(host.here(), call);
        call.onAbandoned(accepted::abandon);
        waiting.add(accepted);
        if (open.getAndIncrement() == 0) {
            host.execute(this);
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
                call.run(target);
            }
            if (open.decrementAndGet() == 0) {
                return;
            }
        }
        host.execute(this);
    }
}
