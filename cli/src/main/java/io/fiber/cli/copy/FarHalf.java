// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.function.RemoteRunnable;
import java.io.IOException;

/**
 * The half of a copy that runs in a process of the backend. It sends a message first, so that both ends of the pipe are
 * in use, and its verdict last. It ends when the verdict was received.
 *
 * @param line the pipe to the other half
 * @param direction the direction of the copy
 * @param ground the file system in which it works
 * @param path what it reads, or where it writes
 */
record FarHalf(Connection<Object, String> line, Direction direction, CopyRoot ground, String path)
        implements RemoteRunnable {

    static final String READY = "ready";
    static final String TAKEN = "taken";

    @Override
    public void run() throws IOException {
        try (line) {
            line.send(READY);
            line.send(verdict());
            awaitTaken();
        }
    }

    /** Waits, because data in transit is lost with a process that ends. */
    private void awaitTaken() {
        boolean taken = false;
        while (!taken) {
            try {
                line.receive();
                taken = true;
            } catch (EndOfStreamException e) {
                // The command has ended, and needs no answer.
                taken = true;
            } catch (FiberException e) {
                // Bytes arrive before the answer if this half has given up.
                line.receiveBytes();
            }
        }
    }

    private Verdict verdict() throws IOException {
        try {
            return new Verdict.Done(direction == Direction.THERE ? receive() : send());
        } catch (FiberException e) {
            return new Verdict.Failed(String.valueOf(e.getMessage()));
        }
    }

    private Totals receive() throws IOException {
        try (LineInput in = new LineInput(line)) {
            Totals totals = new Receiving(ground, path, Meter.none()).run(in);
            in.drain();
            return totals;
        }
    }

    private Totals send() throws IOException {
        try (LineOutput out = new LineOutput(line)) {
            return new Sending(ground, path, Meter.none()).run(out);
        }
    }
}
