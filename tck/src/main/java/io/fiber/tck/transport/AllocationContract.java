// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Clauses TRN-5xx: the cost of a transport. */
abstract class AllocationContract extends TransportContract {

    private static final int CYCLES = 5_000;
    private static final int LEAST_WINDOWS = 12;

    /** How long the JVM may take to compile the measured code on a busy machine; only a protection against hangs. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private long polledFrames;

    @Clause(
            id = "TRN-501",
            says = "doWork allocates nothing when nothing happens",
            check = "for iterators, boxed numbers, lambdas that capture, and clocks that return objects.")
    void idleCyclesAllocateNothing() {
        connect();
        failIfAllocating("TRN-501", this::cycle);
    }

    @Clause(
            id = "TRN-502",
            says = "offer and poll allocate nothing in the steady state",
            check = "for slices and duplicates of buffers, iterators, and handlers made for each call.")
    void steadyTrafficAllocatesNothing() {
        Pair pair = connect();
        ByteBuffer frame = FrameSource.allocate(200);
        Link from = pair.invited();
        Link to = pair.dialled();
        failIfAllocating("TRN-502", () -> {
            from.offer(frame);
            cycle();
            polledFrames += to.poll(IGNORE, 10);
            from.offer(frame);
            polledFrames += to.poll(IGNORE, 10);
            return to.offer(frame) == OfferResult.ACCEPTED ? from.poll(IGNORE, 10) : 0;
        });
        if (polledFrames < CYCLES) {
            throw new ClauseFailure(
                    "TRN-502", "only " + polledFrames + " frames arrived, so there was no traffic to measure.");
        }
    }

    @Clause(
            id = "TRN-503",
            says = "doWork returns 0 if nothing was done, so that its caller can become idle, and more otherwise",
            check = "that housekeeping that changed nothing does not count as work, not even that of an"
                    + " invitation that waits for its peer, and that a link's new state counts.")
    void idleCyclesSayZero() {
        Transport inviter = open(fixture().callerHost(), 2);
        Transport dialler = open();
        Link invited = inviter.invite();
        Link dialled = dialler.dial(invited.address());
        long deadlineNs = System.nanoTime() + fixture().connectLimit().toNanos();
        int work = 0;
        int cycles = 0;
        while (!isConnected(invited) || !isConnected(dialled)) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new ClauseFailure("TRN-103", "the ends did not find each other. " + story());
            }
            work += cycle();
            idle(++cycles);
        }
        assertThat(work)
                .as("what doWork returned while two ends became connected")
                .isPositive();
        inviter.invite();
        int[] idle = new int[1];
        await("TRN-503", "doWork did not return 0 for 20 cycles in a row", Duration.ofSeconds(10), () -> {
            idle[0] = cycle() == 0 ? idle[0] + 1 : 0;
            return idle[0] >= 20;
        });
    }

    /** One cycle of the measured code. */
    private interface Step {
        int run();
    }

    /**
     * One window without allocation is the proof, because other parts of the JVM allocate now and then in any thread.
     * The number of cycles before it depends on the JVM: code that is not compiled yet allocates what compiled code
     * does not, and on a busy machine the compiler has to wait for a processor.
     */
    private void failIfAllocating(String clauseId, Step step) {
        if (!(ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads)
                || !threads.isThreadAllocatedMemorySupported()
                || !threads.isThreadAllocatedMemoryEnabled()) {
            assume(false, "this JVM cannot tell what a thread allocates");
            return;
        }
        long startNs = System.nanoTime();
        long leastBytes = Long.MAX_VALUE;
        int windows = 0;
        while (leastBytes > 0 && (windows < LEAST_WINDOWS || System.nanoTime() - startNs < LIMIT.toNanos())) {
            long before = threads.getCurrentThreadAllocatedBytes();
            run(step, CYCLES);
            leastBytes = Math.min(leastBytes, threads.getCurrentThreadAllocatedBytes() - before);
            windows++;
        }
        if (leastBytes > 0) {
            throw new ClauseFailure(
                    clauseId,
                    leastBytes + " bytes were allocated in the best of " + windows + " windows of " + CYCLES
                            + " cycles, in " + LIMIT.toSeconds() + " seconds.");
        }
    }

    private static void run(Step step, int cycles) {
        for (int i = 0; i < cycles; i++) {
            step.run();
        }
    }
}
