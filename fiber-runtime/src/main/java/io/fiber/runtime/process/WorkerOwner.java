// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;

/** The part of a master that requested a worker and is told what happens to it. Called only by the conductor. */
public interface WorkerOwner {

    /** Called before the worker's job is submitted. */
    void onRegistered(RemoteWorker worker);

    /** Called when the worker has connected; its initializer or program may now be sent. */
    void onWelcomed(RemoteWorker worker);

    void onReady(RemoteWorker worker);

    /** Called for each message of the worker that concerns its owner. */
    void onMessage(RemoteWorker worker, Message message);

    /**
     * Called when the platform has announced, to the backend or to the worker itself, that it will end the worker soon.
     */
    default void onLeaving(RemoteWorker worker) {}

    /** Called if this process cannot start workers because of an error in its own code, such as a missing class. */
    default void onUnregistered(Throwable fault) {}

    /** Called when the worker has ended; the last call for it. */
    void onEnded(RemoteWorker worker, ProcessEnd end);
}
