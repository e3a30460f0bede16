// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.io.IOException;

/**
 * The purpose of a worker, which the master sends when it admits the worker.
 *
 * @param kind the use of the function with id 0, which is sent right after the welcome
 * @param threads number of task threads, at least 1
 * @param services objects of its master that the worker calls
 */
public record WorkerRole(Kind kind, int threads, Services services) {

    /** The id of the function that a worker runs when it starts: its initializer or program. */
    public static final int START_FUNCTION = 0;

    public byte[] encode() {
        PayloadOutput out = new PayloadOutput();
        out.writeText(kind.name());
        out.writeInt(threads);
        out.writeLong(services.lookups());
        out.writeLong(services.jobs());
        return out.toPayload().toArray();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IOException if it is something else
     * @throws IllegalArgumentException if it names an unknown kind of worker
     */
    public static WorkerRole decode(byte[] bytes) throws IOException {
        PayloadInput in = Payload.of(bytes).open();
        return new WorkerRole(Kind.valueOf(in.readText()), in.readInt(), new Services(in.readLong(), in.readLong()));
    }

    /**
     * The numbers of the objects in the master that serve the workers of a session.
     *
     * @param lookups answers requests for a class or a broadcast value
     * @param jobs starts jobs for a worker with workers of its own
     */
    public record Services(long lookups, long jobs) {}

    public enum Kind {
        /** The worker runs chunks; there is no function 0. */
        POOL,
        /** The worker runs function 0 once as its initializer, and then chunks. */
        POOL_WITH_INITIALIZER,
        /** The worker runs function 0 as its program, and ends. */
        PROCESS
    }
}
