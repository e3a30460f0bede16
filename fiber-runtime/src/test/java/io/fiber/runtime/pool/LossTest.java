// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.process.ProcessEnd.Kind;
import io.fiber.runtime.process.WorkerTitle;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of workers that do not start. */
class LossTest {

    private static final String REFUSAL = "FBR-131 Slurm refused the job: invalid partition. Nothing was started.";

    @Test
    void poolWhoseWorkersAreRefusedTellsWhyOnce() {
        Loss loss = new Loss(new WorkerTitle("sweep-7"), REFUSAL, List.of(), Kind.REJECTED);

        assertThat(loss.broken("sweep", 1))
                .hasMessage("FBR-403 Pool 'sweep' ended: the platform refused its workers: " + REFUSAL)
                .cause()
                .hasMessage("FBR-310 Process 'sweep-7' was not started: " + REFUSAL);
    }

    @Test
    void brokenPoolTellsHowItsLastWorkerEndedAndWhatItWrote() {
        Loss loss = PoolWorld.loss("sweep-7", "exit code 1", "first", "second");

        assertThat(loss.broken("sweep", 3))
                .hasMessage("FBR-403 Pool 'sweep' ended: 3 workers in a row failed to start; the last one, sweep-7:"
                        + " exit code 1. Its last lines:\n  | first\n  | second")
                .cause()
                .hasMessage("FBR-310 Process 'sweep-7' ended before it had connected: exit code 1."
                        + " Its last lines:\n  | first\n  | second");
    }

    @Test
    void brokenPoolTellsWhatToDoAboutWorkersThatWereNotReadyInTime() {
        Loss loss = new Loss(new WorkerTitle("sweep-7"), "not ready within 60000 ms", List.of(), Kind.START_LIMIT);

        assertThat(loss.broken("sweep", 3))
                .hasMessageContaining("the last one, sweep-7: not ready within 60000 ms. It wrote no output.")
                .cause()
                .hasMessageStartingWith("FBR-311 Process 'sweep-7' runs but was not ready within 60000 ms. Check ");
    }

    @Test
    void missingWorkersAreToldWithOneFullStop() {
        String rest = "\nThe 2 running workers continue. Fiber keeps trying to start the missing ones, and waits"
                + " longer each time.";
        String start = "FBR-407 The last 3 workers of pool 'p' did not start; the last one, p-7: ";

        assertThat(new Loss(new WorkerTitle("p-7"), REFUSAL, List.of(), Kind.REJECTED).tolerated("p", 3, 2))
                .hasMessage(start + REFUSAL + rest);
        assertThat(PoolWorld.loss("p-7", "the node failed.").tolerated("p", 3, 2))
                .hasMessage(start + "the node failed. It wrote no output." + rest);
        assertThat(PoolWorld.loss("p-7", "exit code 1", "oh").tolerated("p", 3, 2))
                .hasMessage(start + "exit code 1. Its last lines:\n  | oh" + rest);
        assertThat(PoolWorld.loss("p-7", "exit code 1").tolerated("p", 3, 1))
                .hasMessageEndingWith("\nThe one running worker continues. Fiber keeps trying to start the missing"
                        + " ones, and waits longer each time.");
    }
}
