// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.LinkState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends all links so that peers notice at once, then frees everything. Takes less than a second. */
final class Shutdown {

    /** Enough for two heartbeats, which tell a peer on another host that its stream has ended. */
    private static final long LAST_WORDS_NS = 250_000_000L;

    /** How long to wait for a thread that is reading a frame. */
    private static final long LAST_USERS_NS = 300_000_000L;

    /** How many cycles it takes until clients of the own driver can see that their streams have ended. */
    private static final int LAST_CYCLES = 8;

    private Shutdown() {}

    static void run(List<AeronLink> links, List<ForeignDriver> foreign, @Nullable OwnDriver own) {
        boolean isHeardByNetwork = false;
        for (AeronLink link : links) {
            isHeardByNetwork |= link.state() == LinkState.CONNECTED && !link.isConfined();
            link.close("this process has closed its transport");
        }
        awaitUsers(links);
        for (AeronLink link : links) {
            release(link.streams());
        }
        for (ForeignDriver node : foreign) {
            node.close();
        }
        if (own != null) {
            sayGoodbye(own, isHeardByNetwork);
            own.close();
        }
    }

    private static void release(StreamPair streams) {
        try {
            streams.release();
        } catch (RuntimeException e) {
            DebugLog.write("A stream did not close.", e);
        }
    }

    private static void awaitUsers(List<AeronLink> links) {
        long endNs = System.nanoTime() + LAST_USERS_NS;
        for (AeronLink link : links) {
            while (link.isInUse() && System.nanoTime() - endNs < 0) {
                Thread.onSpinWait();
            }
        }
    }

    private static void sayGoodbye(OwnDriver own, boolean isHeardByNetwork) {
        for (int i = 0; i < LAST_CYCLES; i++) {
            own.invoke();
        }
        long endNs = System.nanoTime() + LAST_WORDS_NS;
        while (isHeardByNetwork && own.failure() == null && System.nanoTime() - endNs < 0) {
            own.invoke();
            Thread.onSpinWait();
        }
        if (isHeardByNetwork) {
            // This thread may have been stopped meanwhile.
            own.invoke();
        }
    }
}
