// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;
import java.util.List;

/** The part of a master that had a worker started, and is told what becomes of it. Called by the conductor only. */
public interface WorkerOwner {

    /** The worker's job is about to be submitted. */
    void onRegistered(RemoteWorker worker);

    /** The worker has connected; what it is to run first may be sent. */
    void onWelcomed(RemoteWorker worker);

    void onReady(RemoteWorker worker);

    /** The worker says something that concerns its owner. */
    void onMessage(RemoteWorker worker, Message message);

    /** The worker will be ended soon by its platform, which has said so to the backend or to the worker itself. */
    default void onLeaving(RemoteWorker worker) {}

    /** This process cannot start workers, by a fault of its own code, such as a class that is missing. */
    default void onUnregistered(Throwable fault) {}

    /** The worker has ended; the last event of it. */
    void onEnded(RemoteWorker worker, ProcessEnd end, List<String> lastLines);
}
