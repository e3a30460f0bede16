// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

/**
 * What a process owes an object that hands things out and keeps each until it is done with: word of that, from each thread
 * when it takes the next one, and else when {@link CompletionHooks} says. Thread-safe.
 *
 * @param operation the object's number for such word; the argument is that of the delivery
 */
public record AckTracker(ProcessContext process, ObjectAddress address, int operation) {

    private record Receipt(AckTracker acks, long delivery) implements Runnable {
        @Override
        public void run() {
            acks.process.router().tell(acks.address, request());
        }

        Request request() {
            return Request.of(acks.operation, delivery);
        }
    }

    /** Tells whether any are owed: a process with which the object ends too takes nothing from others by dying. */
    public boolean areOwed() {
        return !address.host().isUnder(process.router().path());
    }

    /** The calling thread is about to take another: it has done with what it took before, and says so with that call. */
    public void next() {
        if (process.afterwards().take(address) instanceof Receipt receipt) {
            process.router().tellWithNext(address, receipt.request());
        }
    }

    /** The calling thread has taken something. */
    public void taken(long delivery) {
        process.afterwards().add(address, new Receipt(this, delivery));
    }
}
