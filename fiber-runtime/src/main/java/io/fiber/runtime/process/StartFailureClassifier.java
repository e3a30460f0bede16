// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.logging.Logs;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.transport.TransportException;

/** What becomes of starts for which this host has no room or the cluster no answer, and whether that was said. Belongs to the conductor. */
final class StartFailureClassifier {

    /** Whether the last start found no room for its link, and that was said. */
    private boolean lacksRoom;

    /** Whether the cluster could not be asked the last time, and that was said. */
    private boolean lacksAnswer;

    /** The cluster has taken a submission. */
    void isAnswered() {
        lacksAnswer = false;
    }

    /** The cluster could not be asked. Pools ask again for as long as it takes, so it is said why nothing happens. */
    void isUnanswered(BackendUnavailableException failure) {
        if (!lacksAnswer) {
            lacksAnswer = true;
            warn("FBR-138 No worker can be started now. Those that are up go on, and pools try again. "
                    + failure.getMessage());
        }
    }

    /** There was room. */
    void isOver() {
        lacksRoom = false;
    }

    /** Where other workers run, room may come back; where none does, callers that wait must be told why. */
    ProcessEnd.Kind kindOf(TransportException failure, long working) {
        if (failure.kind() != TransportException.Kind.NO_ROOM || working == 0) {
            return ProcessEnd.Kind.NOT_SUBMITTED;
        }
        if (!lacksRoom) {
            lacksRoom = true;
            warn("FBR-513 No worker can be added now. The " + working + " that are up go on, and pools try again. "
                    + failure.getMessage());
        }
        return ProcessEnd.Kind.UNAVAILABLE;
    }

    private static void warn(String text) {
        Logs.of(WorkerSupervisor.class).log(System.Logger.Level.WARNING, text);
    }
}
