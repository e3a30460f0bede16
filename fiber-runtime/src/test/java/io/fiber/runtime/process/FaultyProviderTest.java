// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.ProcessState;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Providers whose methods throw errors, as one does whose jar lacks a class: what was asked fails, nothing waits. */
class FaultyProviderTest {

    private final MasterFixture master = new MasterFixture();
    private final MasterFixture.Owner owner = new MasterFixture.Owner();

    static List<Error> errors() {
        return List.of(
                new NoClassDefFoundError("com/acme/Missing"),
                new UnsatisfiedLinkError("no acme in java.library.path"),
                new StackOverflowError("deep"),
                new AssertionError("never"),
                new OutOfMemoryError("Java heap space"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void errorOfABackendsSubmitEndsTheStart(Error error) {
        master.backend().submitThrows(error);
        start("one", "two");
        assertThat(owner.told)
                .hasSize(2)
                .allSatisfy(end -> assertThat(end)
                        .startsWith("ended FAILED")
                        .contains("The backend could not submit the job: " + error));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void errorOfATransportsInviteEndsTheStartOfAllWorkersOfIt(Error error) {
        start("takes-the-spare-link");
        master.transport().inviteThrows(error);
        start("one", "two");
        assertThat(owner.told)
                .hasSize(2)
                .allSatisfy(end -> assertThat(end)
                        .startsWith("ended FAILED")
                        .contains("The transport could not create a link: " + error));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void workerEndsThoughItsJobThrowsWhenItIsCancelledAndAskedForItsLines(Error error) {
        master.backend().jobsThrow(error);
        start("one");
        RemoteWorker worker = owner.registered.get(0);
        worker.terminate(Duration.ZERO);
        worker.refuse("The test ends it.");
        for (int step = 0; step < 10 && owner.told.isEmpty(); step++) {
            master.advance(Duration.ofSeconds(2));
            master.supervisor().doWork(master.conductor().nowNs());
            master.conductor().doWork();
        }
        assertThat(worker.state()).isIn(ProcessState.TERMINATED, ProcessState.LOST);
        assertThat(owner.told).hasSize(1);
        assertThat(owner.lines).singleElement().asString().contains("could not read the last lines: " + error);
    }

    @Test
    void asManyWorkersStartAsThePlatformTakes() {
        master.backend().hasRoomFor(5);
        start("1", "2", "3", "4", "5", "6", "7", "8");

        assertThat(master.backend().asked()).containsExactly(8, 4, 4, 2, 1, 1);
        assertThat(owner.registered).filteredOn(worker -> worker.job() != null).hasSize(5);
        assertThat(owner.told).hasSize(3).allMatch(end -> end.equals("ended FAILED FBR-139 No more than 0 of 1."));
    }

    @Test
    void platformThatTakesNoneIsAskedForEverFewer() {
        master.backend().hasRoomFor(0);
        start("1", "2", "3", "4");

        assertThat(master.backend().asked()).containsExactly(4, 2, 1);
        assertThat(owner.told).hasSize(4).allMatch(end -> end.equals("ended FAILED FBR-139 No more than 0 of 1."));
    }

    @Test
    void startThatGetsNoThreadEnds() {
        master.hasNoThreads(new OutOfMemoryError("unable to create native thread"));
        start("one", "two");
        assertThat(owner.told)
                .hasSize(2)
                .allSatisfy(end -> assertThat(end)
                        .startsWith("ended FAILED")
                        .contains("No thread could be started to submit the job: java.lang.OutOfMemoryError: unable"
                                + " to create native"));
    }

    @Test
    void pendingStartEndsWithWhatTheConductorDiedOf() {
        start("one");
        master.conductor().addDuty(master.supervisor());
        master.conductor().onFault(new OutOfMemoryError("Java heap space"));
        assertThat(owner.told)
                .containsExactly("ended LOST the I/O thread of its session has stopped, because of"
                        + " java.lang.OutOfMemoryError: Java heap space");
    }

    @Test
    void startThatHasNotBegunEndsWithTheConductor() {
        master.conductor().addDuty(master.supervisor());
        master.supervisor().start(spec(), requests(owner, "one", "two"));
        master.conductor().onClose();
        assertThat(owner.told)
                .containsExactly(
                        "ended LOST the I/O thread of its session has stopped",
                        "ended LOST the I/O thread of its session has stopped");
    }

    @Test
    void endIsToldByTheEndOfTheConductorThoughTheLastLinesAreStillAskedFor() {
        start("one");
        master.conductor().addDuty(master.supervisor());
        master.isSlow();
        RemoteWorker worker = owner.registered.get(0);
        worker.onJobEvent(new JobEvent.Ended(requireNonNull(worker.job()), JobTermination.exited(3)));
        master.conductor().doWork();
        assertThat(worker.state().isFinal()).isTrue();
        assertThat(owner.told).isEmpty();
        master.conductor().onClose();
        assertThat(owner.told).singleElement().asString().contains("exit code 3");
    }

    @Test
    void ownerThatCannotBeToldKeepsNoOtherUntold() {
        MasterFixture.Owner deaf = new MasterFixture.Owner() {
            @Override
            public void onEnded(RemoteWorker worker, ProcessEnd end) {
                throw new NoClassDefFoundError("a class that had no memory to be initialized");
            }
        };
        start(deaf, "one");
        start(owner, "two");
        start(deaf, "three");
        master.conductor().addDuty(master.supervisor());
        master.conductor().onFault(new OutOfMemoryError("Java heap space"));
        assertThat(owner.told).singleElement().asString().startsWith("ended LOST the I/O thread");
    }

    @Test
    void masterGoesOnAfterAnError() throws java.io.IOException {
        master.backend().submitThrows(new NoClassDefFoundError("com/acme/Missing"));
        start("one");
        master.backend().submitWorks();
        master.assertThatAnotherWorkerStillGetsIn();
    }

    private void start(String... names) {
        start(owner, names);
    }

    private static JobSpec spec() {
        return JobSpec.builder(new Program.Command(List.of("true"))).build();
    }

    private List<WorkerSupervisor.WorkerRequest> requests(WorkerOwner ofAll, String... names) {
        return List.of(names).stream()
                .map(name -> new WorkerSupervisor.WorkerRequest(
                        master.supervisor().takeNumbers(1), name, WorkerRole.Kind.POOL, 1, ofAll))
                .toList();
    }

    private void start(WorkerOwner ofAll, String... names) {
        master.supervisor().start(spec(), requests(ofAll, names));
        for (int i = 0; i < 4; i++) {
            master.conductor().doWork();
        }
    }
}
