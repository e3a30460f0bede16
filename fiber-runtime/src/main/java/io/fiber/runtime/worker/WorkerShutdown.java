// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.runtime.protocol.Messages;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Shuts down a worker: it ends everything it has started, says goodbye, and ends its process when the master has
 * received that. Belongs to the conductor.
 */
final class WorkerShutdown {

    /**
     * How long to wait for a master that sends only heartbeats. A master that is silent for its lease is given up
     * earlier.
     */
    private static final long GOODBYE_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    private final IntConsumer exit;
    private Consumer<Runnable> teardown = Runnable::run;
    private boolean begun;
    private boolean decided;
    private boolean over;
    private int code;
    private boolean left;
    private boolean heard;
    private long leftNs;

    /** Creates the shutdown of a worker; {@code exit} ends its process, and is called when nothing is left to send. */
    WorkerShutdown(IntConsumer exit) {
        this.exit = exit;
    }

    /**
     * Sets the action that ends everything this process has started, before the goodbye. The action returns at once and
     * has the conductor run its argument when nothing is left.
     */
    void after(Consumer<Runnable> what) {
        teardown = what;
    }

    boolean hasBegun() {
        return begun;
    }

    void begin(Peer master, ExitCode why) {
        begun = true;
        teardown.accept(() -> {
            decide(why);
            master.post(Messages.goodbye(code));
        });
    }

    /** Ends the process without a goodbye. */
    void atOnce(ExitCode why) {
        decide(why);
        end();
    }

    private void decide(ExitCode why) {
        begun = true;
        decided = true;
        code = why.code();
    }

    private void end() {
        if (!over) {
            over = true;
            exit.accept(code);
        }
    }

    /** Called when the master has said goodbye, too. */
    void heard() {
        heard = true;
    }

    /** Called when the master is gone, so that a goodbye can no longer be sent. Returns false if none was said. */
    boolean onMasterGone() {
        if (decided) {
            end();
        }
        return decided;
    }

    /** Ends the process if the goodbye was said and received. */
    void goOn(Peer master, long nowNs) {
        if (decided && isHeard(master.isFlushed(), master.link().isConfined(), nowNs)) {
            end();
        }
    }

    /**
     * Returns whether the goodbye was received or need not be awaited. In shared memory, everything that was sent stays
     * when the process is gone. Over a network, it may be lost with the process, so the process waits until the master,
     * which has read everything before, says goodbye too.
     */
    boolean isHeard(boolean hasLeft, boolean isConfined, long nowNs) {
        if (!hasLeft) {
            return false;
        }
        if (!left) {
            left = true;
            leftNs = nowNs;
        }
        return heard || isConfined || nowNs - leftNs > GOODBYE_LIMIT_NS;
    }
}
