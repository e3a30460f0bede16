// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.platform.ProcessUsage;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reports what a process uses of its host. Every process has it under the same number. The conductor reads the file
 * itself, because the kernel creates it from counters in memory.
 */
public final class UsageService implements Hosted {

    /** Its number in each process. */
    static final long OBJECT = 1;

    private final Seals seals;

    UsageService(Seals seals) {
        this.seals = seals;
    }

    /**
     * Asks a process what it uses; the conductor passes on the answer, which is empty if the process is gone or does not
     * know.
     */
    public static void ask(RpcRouter router, ProcessAddress process, Consumer<Optional<ProcessUsage>> listener) {
        ObjectAddress service = new ObjectAddress(process.program(), process.path(), OBJECT);
        router.call(service, Request.of(0, 0), reply -> listener.accept(read(reply, router.seals())));
    }

    private static Optional<ProcessUsage> read(Reply reply, Seals seals) {
        if (reply instanceof Reply.Answer answer) {
            try {
                PayloadInput in = seals.open(answer.payload()).open();
                return Optional.of(new ProcessUsage(in.readLong(), in.readLong()));
            } catch (SealException | IOException e) {
                // The seals have reported damage, and nothing else depends on this answer.
            }
        }
        return Optional.empty();
    }

    @Override
    public void onCall(ServiceCall call) {
        Optional<ProcessUsage> usage = ProcessUsage.ofThisProcess();
        if (usage.isEmpty()) {
            call.fail(SealedPayload.none());
        } else {
            PayloadOutput out = new PayloadOutput();
            out.writeLong(usage.get().memoryBytes());
            out.writeLong(usage.get().cpuTimeNs());
            call.answer(seals.close(out.toPayload()));
        }
    }
}
