// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.runtime.protocol.Messages;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The shutdown of a worker: what it has started ends first, then it says goodbye, and when the master has heard that,
 * its process ends. Belongs to the conductor.
 */
final class WorkerShutdown {

    /** A master that is silent for its lease is given up before; one of which only heartbeats come is waited for no longer. */
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

    /** Creates the shutdown of a worker; {@code exit} ends its process, and is called when nothing is left to be sent. */
    WorkerShutdown(IntConsumer exit) {
        this.exit = exit;
    }

    /**
     * Sets what ends all that this process has started, before it says goodbye: it returns at once, and has what it is given
     * run by the conductor when nothing is left.
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

    /** The master has said goodbye, too. */
    void heard() {
        heard = true;
    }

    /** The master is gone: a goodbye that was said cannot leave any more. Returns false when none was said. */
    boolean onMasterGone() {
        if (decided) {
            end();
        }
        return decided;
    }

    /** Ends the process when the goodbye was said and is heard. */
    void goOn(Peer master, long nowNs) {
        if (decided && isHeard(master.isFlushed(), master.link().isConfined(), nowNs)) {
            end();
        }
    }

    /**
     * Tells whether the goodbye was heard, or is not waited for. In shared memory it stays when the process is gone, and so
     * does what was sent before. Over a network it may have left and not arrived, and a process that ends takes it along: the
     * process waits until the master, who has read all that, says goodbye too.
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
