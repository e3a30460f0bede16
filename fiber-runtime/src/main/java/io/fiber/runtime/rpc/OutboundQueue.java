// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * The way to a neighbour, or to the objects of this process. Mail leaves in the order in which it came, also when some of
 * it must first be sealed anew because it comes from another session; that is done by other threads. Belongs to the
 * conductor.
 */
final class OutboundQueue {

    private static final class Entry {
        Envelope envelope;
        boolean ready;
        boolean broken;

        Entry(Envelope envelope) {
            this.envelope = envelope;
        }
    }

    private final Seals seals;
    private final Predicate<? super Envelope> exit;
    private final RpcRouter router;
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();

    /**
     * Creates a queue.
     *
     * @param seals the seals that are valid at its end
     * @param exit takes mail, or returns false when it should be offered again
     * @param router is told of mail whose seal was broken
     */
    OutboundQueue(Seals seals, Predicate<? super Envelope> exit, RpcRouter router) {
        this.seals = seals;
        this.exit = exit;
        this.router = router;
    }

    /** Returns the seals that are valid at its end. */
    Seals seals() {
        return seals;
    }

    /** Sends mail that was sealed with these seals. */
    void send(Envelope envelope, Seals sealedWith) {
        boolean ready = sealedWith == seals || envelope.payload().length() == 0;
        if (ready && waiting.isEmpty() && exit.test(envelope)) {
            return;
        }
        Entry entry = new Entry(envelope);
        entry.ready = ready;
        waiting.add(entry);
        if (!ready) {
            router.blocking().execute(() -> reseal(entry, envelope, sealedWith));
        }
    }

    private void reseal(Entry entry, Envelope envelope, Seals sealedWith) {
        SealedPayload resealed;
        try {
            resealed = seals.close(sealedWith.open(envelope.payload()));
        } catch (SealException | RuntimeException | Error e) {
            router.conductor().execute(() -> {
                entry.broken = true;
                entry.ready = true;
            });
            return;
        }
        router.conductor().execute(() -> {
            entry.envelope = envelope.with(resealed);
            entry.ready = true;
        });
    }

    /** Sends what waits, as far as possible; returns how much has left. */
    int flush() {
        int sent = 0;
        for (Entry head = waiting.peek(); head != null && head.ready; head = waiting.peek()) {
            if (head.broken) {
                waiting.poll();
                router.onBrokenSeal(head.envelope);
            } else if (exit.test(head.envelope)) {
                waiting.poll();
            } else {
                break;
            }
            sent++;
        }
        return sent;
    }

    /** Tells whether everything has left. */
    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
