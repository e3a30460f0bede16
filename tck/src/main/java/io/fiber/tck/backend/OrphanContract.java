// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.tck.clause.Clause;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Clauses BKD-61x: what happens to jobs whose master is killed. */
abstract class OrphanContract extends BackendContract {

    private static final int JOBS = 2;

    @Clause(
            id = "BKD-611",
            says = "when the master's process is killed, its jobs are gone within 30 seconds",
            check = "that each job is registered with the reaper, or watched by the platform, before it starts; the "
                    + "program does not end by itself here.")
    @Tag(Clause.WAITS)
    void jobsEndWithTheirMaster() throws IOException {
        var fixtureClass = assumePresent(fixture().masterFixture(), "masterFixture");
        String token = nextName();
        String address = beacon().address();
        try (MasterProcess master = MasterProcess.start(
                fixture(),
                MasterMain.class,
                fixtureClass,
                List.of(MasterMain.WAIT, address, token, String.valueOf(JOBS)))) {
            await(
                    "BKD-611",
                    fixture().startLimit().multipliedBy(2),
                    () -> beacon().calls(token).size() >= JOBS,
                    () -> "of " + JOBS + " jobs of a second JVM "
                            + beacon().calls(token).size() + " called; that JVM wrote " + master.output() + ".");
            master.kill();
            await(
                    "BKD-611",
                    fixture().orphanLimit(),
                    () -> beacon().calls(token).stream().allMatch(ProbeCall::isGone),
                    () -> fixture().orphanLimit() + " after the master was killed, "
                            + beacon().alive().size() + " of its jobs still run.");
        }
    }
}
