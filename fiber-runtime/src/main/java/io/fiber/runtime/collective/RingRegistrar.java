// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Collects the reports of one run's members. Each member reports its address and gets the answer when all have done so.
 * At its end, it delivers the result of its function. {@link RingRun} handles members that end before. Not thread-safe,
 * except where it says so; belongs to the conductor.
 */
final class RingRegistrar implements Hosted {

    /** A member is ready; argument: its rank, body: its address. The answer has the addresses of all. */
    static final int HERE = 1;
    /** A member's function has returned; argument: its rank, body: the value. */
    static final int DONE = 2;

    private final SessionContext context;
    private final ServiceCall[] present;
    private final AtomicReferenceArray<@Nullable SealedPayload> results;
    private int missing;

    RingRegistrar(SessionContext context, int size) {
        this.context = context;
        this.present = new ServiceCall[size];
        this.results = new AtomicReferenceArray<>(size);
        this.missing = size;
    }

    @Override
    public void onCall(ServiceCall call) {
        int rank = (int) call.request().argument();
        if (call.request().operation() == DONE) {
            results.set(rank, call.request().body());
            call.answer(SealedPayload.none());
            return;
        }
        present[rank] = call;
        missing--;
        if (missing == 0 && !SessionThreads.tryExecute(context.blocking(), this::answerAll)) {
            // All members wait for it, and it is short.
            answerAll();
        }
    }

    /**
     * A thread other than the conductor opens and closes the seals of addresses. An address that cannot be opened has
     * cost its sender the link.
     */
    private void answerAll() {
        Seals seals = context.process().seals();
        PayloadOutput table = new PayloadOutput();
        try {
            for (ServiceCall call : present) {
                table.append(seals.open(call.request().body()));
            }
        } catch (SealException e) {
            return;
        }
        SealedPayload answer = seals.close(table.toPayload());
        context.conductor().execute(() -> {
            for (ServiceCall call : present) {
                call.answer(answer);
            }
        });
    }

    /** Returns the result of a member's function; null if it has not returned. Thread-safe. */
    @Nullable
    SealedPayload result(int rank) {
        return results.get(rank);
    }

    static Payload write(InetSocketAddress address) {
        PayloadOutput out = new PayloadOutput();
        out.writeText(address.getAddress().getHostAddress());
        out.writeVarLong(address.getPort());
        return out.toPayload();
    }

    /**
     * Parses the addresses of all members.
     *
     * @throws IOException if it is something else
     */
    static List<InetSocketAddress> read(Payload table, int size) throws IOException {
        PayloadInput in = table.open();
        List<InetSocketAddress> addresses = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            InetAddress host = InetAddress.getByName(in.readText());
            addresses.add(new InetSocketAddress(host, (int) in.readVarLong()));
        }
        return addresses;
    }
}
