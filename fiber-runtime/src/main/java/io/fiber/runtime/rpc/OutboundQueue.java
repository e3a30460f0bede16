// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * The queue to a neighbour, or to the objects of this process. Messages leave in the order in which they came, even if
 * some must first be sealed again because they come from another session; other threads do that. Not thread-safe;
 * belongs to the conductor.
 */
final class OutboundQueue {

    private static final class Entry {
        RpcMessage message;
        boolean ready;
        boolean broken;

        Entry(RpcMessage message) {
            this.message = message;
        }
    }

    private final Seals seals;
    private final Predicate<? super RpcMessage> exit;
    private final RpcRouter router;
    private final ArrayDeque<Entry> waiting = new ArrayDeque<>();

    /** Creates a queue whose exit accepts messages, or returns false if one should be offered again. */
    OutboundQueue(Seals seals, Predicate<? super RpcMessage> exit, RpcRouter router) {
        this.seals = seals;
        this.exit = exit;
        this.router = router;
    }

    /** Returns the seals that are valid at its end. */
    Seals seals() {
        return seals;
    }

    /** Sends a message that was sealed with these seals. */
    void send(RpcMessage message, Seals sealedWith) {
        boolean ready = sealedWith == seals || message.payload().length() == 0;
        if (ready && waiting.isEmpty() && exit.test(message)) {
            return;
        }
        Entry entry = new Entry(message);
        entry.ready = ready;
        waiting.add(entry);
        if (!ready && !SessionThreads.tryExecute(router.blocking(), () -> reseal(entry, message, sealedWith))) {
            // There is no thread for it; a death is reported without its text.
            entry.broken = true;
            entry.ready = true;
        }
    }

    private void reseal(Entry entry, RpcMessage message, Seals sealedWith) {
        SealedPayload resealed;
        try {
            resealed = seals.close(sealedWith.open(message.payload()));
        } catch (SealException | RuntimeException | Error e) {
            router.conductor().execute(() -> {
                entry.broken = true;
                entry.ready = true;
            });
            return;
        }
        router.conductor().execute(() -> {
            entry.message = message.with(resealed);
            entry.ready = true;
        });
    }

    /** Sends what waits, as far as possible; returns how much has left. */
    int flush() {
        int sent = 0;
        for (Entry head = waiting.peek(); head != null && head.ready; head = waiting.peek()) {
            if (head.broken) {
                waiting.poll();
                router.onBrokenSeal(head.message);
            } else if (exit.test(head.message)) {
                waiting.poll();
            } else {
                break;
            }
            sent++;
        }
        return sent;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
