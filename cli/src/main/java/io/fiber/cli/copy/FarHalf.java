// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.function.RemoteRunnable;
import java.io.IOException;

/**
 * The half of a copy that a process of the backend runs. It says a word first, so that the pipe has two ends in use, and
 * its verdict last, and ends when that was taken.
 *
 * @param line to the other half
 * @param direction which way files go
 * @param ground where it works
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

    /** A process that ends takes with it what is still on its way. */
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
                // Bytes come before the answer when this half has given up.
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
