// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * One end of a pipe in which both send and receive. Thread-safe: one thread may receive while another one sends.
 *
 * @see Fiber#pipe
 */
public interface Connection extends Sender, Receiver {

    /** Closes the end for both directions, as {@link Sender#close} and {@link Receiver#close} say. */
    @Override
    void close();
}
