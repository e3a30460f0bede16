// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

/**
 * What a process owes an object that hands things out and keeps each until it is done with: word of that, from each thread
 * when it takes the next one, and else when {@link CompletionHooks} says. Thread-safe.
 *
 * @param here this process
 * @param address the object
 * @param operation the object's number for such word; the argument is that of the delivery
 */
public record AckTracker(ProcessContext here, ObjectAddress address, int operation) {

    private record Receipt(AckTracker receipts, long delivery) implements Runnable {
        @Override
        public void run() {
            receipts.here.switchboard().tell(receipts.address, request());
        }

        Request request() {
            return Request.of(receipts.operation, delivery);
        }
    }

    /** Tells whether any are owed: a process with which the object ends too takes nothing from anybody by dying. */
    public boolean areOwed() {
        return !address.host().isUnder(here.switchboard().here());
    }

    /** The calling thread is about to take another: it has done with what it took before, and says so with that call. */
    public void next() {
        if (here.afterwards().take(address) instanceof Receipt receipt) {
            here.switchboard().tellWithNext(address, receipt.request());
        }
    }

    /** The calling thread has taken something. */
    public void taken(long delivery) {
        here.afterwards().add(address, new Receipt(this, delivery));
    }
}
