// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.logging.Logs;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.transport.TransportException;

/**
 * Classifies failed starts: this host has no room for them, or the cluster does not answer. Each failure is logged once.
 * Belongs to the conductor.
 */
final class StartFailureClassifier {

    /** Whether the last start found no room for its link; this has been logged. */
    private boolean lacksRoom;

    /** Whether the cluster could not be asked the last time; this has been logged. */
    private boolean lacksAnswer;

    /** Records that the cluster has accepted a submission. */
    void isAnswered() {
        lacksAnswer = false;
    }

    /** Records that the cluster could not be asked, and says so once, because pools ask again until it answers. */
    void isUnanswered(BackendUnavailableException failure) {
        if (!lacksAnswer) {
            lacksAnswer = true;
            warn("FBR-138 No worker can be started now. Running workers continue, and pools try again. "
                    + failure.getMessage());
        }
    }

    /** Records that the last start found room. */
    void isOver() {
        lacksRoom = false;
    }

    /** Returns the kind of a failed start. Without a running worker, room cannot come back, and callers must learn why. */
    ProcessEnd.Kind kindOf(TransportException failure, long working) {
        if (failure.kind() != TransportException.Kind.NO_ROOM || working == 0) {
            return ProcessEnd.Kind.NOT_SUBMITTED;
        }
        if (!lacksRoom) {
            lacksRoom = true;
            warn("FBR-513 No worker can be added now. Running workers (" + working + ") continue, and pools try again. "
                    + failure.getMessage());
        }
        return ProcessEnd.Kind.UNAVAILABLE;
    }

    private static void warn(String text) {
        Logs.of(WorkerSupervisor.class).log(System.Logger.Level.WARNING, text);
    }
}
