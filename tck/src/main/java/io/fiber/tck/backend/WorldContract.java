// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobState;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Clauses BKD-715 to BKD-718: the surroundings in which a program runs. */
abstract class WorldContract extends BackendContract {

    private static final String MARKER = "TCK_OF_THE_SUBMITTER";
    private static final int OCTAL = 8;
    private static final int OTHERS_WRITE = 2;

    @Clause(
            id = "BKD-715",
            says = "variables of the submitting process that the spec does not name stay there, or all jobs see them,"
                    + " as the fixture says",
            check = "what the platform's client passes on without being asked (qsub -V, sbatch --export), and"
                    + " fixture.variables().")
    void variablesOfTheSubmitterStay() throws IOException {
        BackendFixture.Variables expected = fixture().variables();
        assume(expected != BackendFixture.Variables.UNKNOWN, "is not tested for this: its fixture does not know");
        var fixtureClass = assumePresent(fixture().masterFixture(), "masterFixture");
        String token = nextName();
        List<String> arguments = List.of(MasterMain.WAIT, beacon().address(), token);
        try (MasterProcess master = MasterProcess.start(
                fixture(), MasterMain.class, fixtureClass, arguments, Map.of(MARKER, "not for jobs"))) {
            await(
                    "BKD-715",
                    fixture().startLimit().multipliedBy(2),
                    () -> beacon().call(token).isPresent(),
                    () -> "the job of a second JVM did not call; that JVM wrote " + master.output() + ".");
            ProbeCall call = beacon().call(token).orElseThrow();
            boolean isSeen = call.list("environment").stream().anyMatch(variable -> variable.startsWith(MARKER + "="));
            call.tell("exit", "0");
            master.awaitExit(fixture().endLimit().plus(fixture().leakLimit()));
            if (isSeen != (expected == BackendFixture.Variables.COME_ALONG)) {
                throw new ClauseFailure(
                        "BKD-715",
                        "the variable " + MARKER + " of the process that submits is " + (isSeen ? "" : "not ")
                                + "in the environment of its job, and the fixture's variables() is " + expected + ".");
            }
        }
    }

    @Clause(
            id = "BKD-716",
            says = "others cannot write to the files that a program creates",
            check = "the umask of the program: a service may start it with 0, and a script may set it for itself.")
    void othersCannotWriteToFilesOfAProgram() {
        String umask = start().call().fact("umask");
        assume(!umask.isEmpty(), "runs jobs on a system that does not tell the umask of a process");
        assertThat(Integer.parseInt(umask, OCTAL) & OTHERS_WRITE)
                .as("what the umask %s of the program takes from others, of %s", umask, OTHERS_WRITE)
                .isEqualTo(OTHERS_WRITE);
    }

    @Clause(
            id = "BKD-717",
            says = "the host in Running is the one on which the platform runs the job",
            check = "that the platform's name of the node is reported, and not that of the submitting host.")
    void hostIsThatOfThePlatform() {
        ProbeJob job = start().running();
        String seen = assumePresent(fixture().hostOf(job.job()), "hostOf");
        assertThat(job.events().running(job.job()).map(JobEvent.Running::host))
                .as("host in Running of a job that the platform runs on '%s'", seen)
                .contains(seen);
    }

    @Clause(
            id = "BKD-718",
            says = "with WORKING_DIRECTORY, if the directory does not exist, it is created, or the job is rejected or"
                    + " fails",
            check = "what the platform does then: some start the program in another directory, such as /tmp.")
    @Requires(Capability.WORKING_DIRECTORY)
    void missingWorkingDirectoryIsNotReplaced() {
        String token = nextName();
        Path missing = Path.of("/tmp", "of-" + token);
        ProbeJob job;
        try {
            job = start(probe(token).workingDirectory(missing).build(), token);
        } catch (JobRejectedException e) {
            assertThat(e.getMessage()).as("text of the refusal").contains(missing.toString());
            return;
        }
        if (job.hasCalledBeforeItsEnd()) {
            assertThat(job.call().fact("directory"))
                    .as("directory that the program saw, when %s did not exist", missing)
                    .isEqualTo(missing.toString());
        } else {
            assertThat(job.ended().state())
                    .as("state of a job whose directory %s did not exist", missing)
                    .isEqualTo(JobState.FAILED);
        }
    }
}
