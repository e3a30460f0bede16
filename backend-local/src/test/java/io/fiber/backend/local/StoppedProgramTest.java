// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fiber.tck.fault.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs with a journal that are killed, asked to end or meet a full disk, and their next runs. Tasks note what they run. */
@Tag("slow")
class StoppedProgramTest {

    /** A SIGTERM this long after the one before is not the same request. */
    private static final Duration REPEATED = Duration.ofSeconds(5);

    @TempDir
    Path tmp;

    private Path journal;
    private String ran;
    /** The file for which later items of the {@linkplain JournalPrograms sweep} wait. */
    private String gate;

    @BeforeEach
    void nameFiles() {
        journal = tmp.resolve("sweep.journal");
        ran = tmp.resolve("ran").toString();
        gate = tmp.resolve("gate").toString();
    }

    @Test
    void callGoesOnWhereItWasWhenItsProgramWasKilled() throws Exception {
        killUntilDone(new Random(4), 3);
    }

    @Test
    @Tag("soak")
    void callGoesOnWhereItWasInFiveHundredKills() throws Exception {
        for (int kills = 0; kills < 500; kills += 5) {
            Files.deleteIfExists(journal);
            Files.deleteIfExists(Path.of(ran));
            killUntilDone(new Random(kills), 5);
        }
    }

    /** Kills the program a few times, at any moment between its start and the end of the call, and then lets it end. */
    private void killUntilDone(Random random, int kills) throws Exception {
        LocalFiber.note(gate, "open");
        for (int kill = 0; kill < kills; kill++) {
            try (MasterJvm master = sweep()) {
                int target = LocalFiber.notes(Path.of(ran)).size() + random.nextInt(JournalPrograms.ITEMS / kills);
                await().atMost(LocalFiber.LIMIT)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> LocalFiber.notes(Path.of(ran)).size() >= target
                                || !master.process().isAlive());
            }
        }
        try (MasterJvm master = sweep()) {
            assertThat(master.awaitLine("exact ")).isEqualTo("true");
            master.awaitEnd();
        }
        int again = LocalFiber.notes(Path.of(ran)).size() - JournalPrograms.ITEMS;
        long inASecond = 2 * Duration.ofSeconds(1).dividedBy(JournalPrograms.TASK);
        assertThat(again).as("tasks that ran again").isBetween(0, (int) (kills * inASecond));
    }

    @ParameterizedTest
    @EnumSource(names = {"TERMINATE", "INTERRUPT", "HANG_UP"})
    void signalStopsTheProgramInOrderAndNothingRunsTwice(Signal signal) throws Exception {
        assumeThat(isIgnored(signal))
                .as("this process ignores the signal, as commands in the background do, and so do its children")
                .isFalse();
        try (MasterJvm master = sweep()) {
            LocalFiber.awaitNotes(Path.of(ran), JournalPrograms.FREE_ITEMS);
            signal.send(master.pid());
            master.awaitLine("Stopping: no more tasks start");
            LocalFiber.note(gate, "open");
            assertThat(master.awaitEnd(75))
                    .contains(
                            "Stopping: no more tasks start, and those that run have 8 s to end. Their results go into the"
                                    + " journal. A second signal ends the wait.",
                            "This program was stopped by a signal, with exit code 75. The journal has the results so"
                                    + " far, and the next run goes on from there.");
        }
        assertThat(LocalFiber.notes(Path.of(ran)).size()).isLessThan(JournalPrograms.ITEMS);
        try (MasterJvm master = sweep()) {
            assertThat(master.awaitLine("exact ")).isEqualTo("true");
            master.awaitEnd();
        }
        assertThat(LocalFiber.notes(Path.of(ran)))
                .hasSize(JournalPrograms.ITEMS)
                .doesNotHaveDuplicates();
    }

    private static boolean isIgnored(Signal signal) throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .findFirst()
                .orElseThrow();
        int number = switch (signal) {
            case HANG_UP -> 1;
            case INTERRUPT -> 2;
            default -> 15;
        };
        return (Long.parseUnsignedLong(ignored, 16) >> (number - 1) & 1) == 1;
    }

    @Test
    void secondSignalEndsTheWait() throws Exception {
        try (MasterJvm master =
                new MasterJvm(tmp, JournalPrograms.class, List.of(), "endless", journal.toString(), ran)) {
            LocalFiber.awaitNotes(Path.of(ran), 1);
            Signal.TERMINATE.send(master.pid());
            master.awaitLine("Stopping: no more tasks start");
            LocalFiber.last(REPEATED);
            Signal.TERMINATE.send(master.pid());
            master.awaitEnd(143);
        }
    }

    /** A scheduler sends it to each process of a job, and the job's script passes it on. */
    @Test
    void sigtermThatIsRepeatedAtOnceDoesNotEndTheWait() throws Exception {
        try (MasterJvm master = sweep()) {
            LocalFiber.awaitNotes(Path.of(ran), JournalPrograms.FREE_ITEMS);
            new ProcessBuilder("/bin/sh", "-c", "for each in 1 2 3; do kill -TERM " + master.pid() + "; done")
                    .start()
                    .waitFor();
            master.awaitLine("Stopping: no more tasks start");
            LocalFiber.note(gate, "open");
            master.awaitEnd(75);
        }
    }

    @Test
    void thirdSignalEndsAProgramWhoseShutdownHooksHang() throws Exception {
        try (MasterJvm master = new MasterJvm(tmp, JournalPrograms.class, List.of(), "hook", journal.toString(), ran)) {
            LocalFiber.awaitNotes(Path.of(ran), 1);
            Signal.TERMINATE.send(master.pid());
            master.awaitLine("Stopping: no more tasks start");
            LocalFiber.last(REPEATED);
            Signal.TERMINATE.send(master.pid());
            master.awaitLine("hangs");
            LocalFiber.last(REPEATED);
            Signal.TERMINATE.send(master.pid());
            master.awaitEnd(143);
        }
    }

    @Test
    void programKeepsItsOwnHandlerOfASignal() throws Exception {
        try (MasterJvm master =
                new MasterJvm(tmp, JournalPrograms.class, List.of(), "handler", journal.toString(), ran)) {
            LocalFiber.awaitNotes(Path.of(ran), 1);
            Signal.TERMINATE.send(master.pid());
            master.awaitEnd(JournalPrograms.OWN_CODE);
        }
    }

    @Test
    void signalWithoutAJournalEndsTheProgramAsAnyOther() throws Exception {
        try (MasterJvm master = new MasterJvm(tmp, JournalPrograms.class, List.of(), "endless", "", ran)) {
            LocalFiber.awaitNotes(Path.of(ran), 1);
            Signal.TERMINATE.send(master.pid());
            master.awaitEnd(143);
        }
    }

    private MasterJvm sweep() {
        return new MasterJvm(tmp, JournalPrograms.class, List.of(), "sweep", journal.toString(), ran, gate);
    }

    @Test
    void fullDiskFailsTheCallAndTheNextOneGoesOn() throws Exception {
        Path directory = tmp.resolve("small");
        try (MasterJvm master = MasterJvm.inSandbox(tmp, JournalPrograms.class, "full", directory.toString())) {
            assertThat(master.awaitLine("failed "))
                    .startsWith("FBR-584 The journal '" + directory.resolve("sweep.journal")
                            + "' (from CallOptions.journal) cannot be written; it has ")
                    .endsWith(" bytes: No space left on device. What it has is kept. Make room and run the program"
                            + " again: it goes on from there.");
            assertThat(master.awaitLine("exact ")).isEqualTo("true");
            master.awaitEnd();
        }
    }
}
