// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ShellReaperTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Bits of HUP, INT, QUIT and TERM. */
    private static final long DEAF = 0x4007;

    @TempDir
    Path tmp;

    @Test
    void killedMasterLeavesNoProcessAndNoDirectory() throws Exception {
        Process orphan = new ProcessBuilder("sleep", "300").start();
        Path parent = PrivateDirectory.create(tmp.resolve("parent"));
        Path outside = Files.createDirectory(tmp.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "");
        Process master = HostPrograms.start(
                List.of(), List.of(), "master", parent.toString(), tmp.toString(), "kill", "-KILL", "" + orphan.pid());
        long reaper = awaitReady(master);
        Files.writeString(parent.resolve("session/left.txt"), "left");
        Files.createSymbolicLink(parent.resolve("session/link"), outside);

        master.destroyForcibly();

        await("orphan killed").atMost(LIMIT).until(() -> !orphan.isAlive());
        await("directory removed").atMost(LIMIT).until(() -> !Files.exists(parent.resolve("session")));
        awaitGone(reaper);
        assertThat(outside.resolve("precious")).exists();
        assertThat(tmp.resolve("cancelled")).doesNotExist();
    }

    /** The whole group of the master gets the signal, as the foreground group of a terminal does. */
    @Test
    void reaperOutlivesTheSignalsOfATerminalAndOfAKilledGroup() throws Exception {
        List<String> signals = List.of("INT", "HUP", "TERM", "KILL");
        List<Process> masters = new ArrayList<>();
        for (String signal : signals) {
            masters.add(HostPrograms.start(
                    List.of("env", "--default-signal=INT,HUP,TERM", "setsid"),
                    List.of(),
                    "master",
                    PrivateDirectory.create(tmp.resolve("parent-" + signal)).toString(),
                    tmp.toString(),
                    "touch",
                    tmp.resolve("mark-" + signal).toString()));
        }
        for (int i = 0; i < signals.size(); i++) {
            awaitReady(masters.get(i));
            run("kill -" + signals.get(i) + " -" + masters.get(i).pid());
        }
        for (String signal : signals) {
            await("command run after SIG" + signal)
                    .atMost(LIMIT)
                    .until(() -> Files.exists(tmp.resolve("mark-" + signal)));
            await("directory removed")
                    .atMost(LIMIT)
                    .until(() -> !Files.exists(tmp.resolve("parent-" + signal + "/session")));
        }
    }

    @Test
    void signalsToTheReaperItselfAreIgnored() throws Exception {
        Path mark = tmp.resolve("mark");
        try (ShellReaper reaper = new ShellReaper(List.of())) {
            reaper.onDeath(List.of("touch", mark.toString()));
            long pid = awaitChild(reaper);
            for (String signal : List.of("INT", "TERM", "HUP", "QUIT")) {
                run("kill -" + signal + " " + pid);
            }
            reaper.onDeath(List.of("true"));

            assertThat(reaper.childPid()).isEqualTo(OptionalLong.of(pid));
        }
        assertThat(mark).doesNotExist();
    }

    @Test
    void closeEndsTheChildAndRunsNothing() {
        Path mark = tmp.resolve("mark");
        ShellReaper reaper = new ShellReaper(List.of(tmp));
        reaper.onDeath(List.of("touch", mark.toString()));
        reaper.removeAtDeath(tmp.resolve("x"));
        long pid = awaitChild(reaper);

        reaper.close();
        reaper.close();

        awaitGone(pid);
        assertThat(mark).doesNotExist();
        assertThatThrownBy(() -> reaper.onDeath(List.of("true")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The reaper is closed; it takes no more registrations.");
    }

    @Test
    void closeDirectlyAfterTheFirstRegistrationLeavesNoChild() {
        List<ProcessHandle> before = ProcessHandle.current().children().toList();
        for (int i = 0; i < 5; i++) {
            ShellReaper reaper = new ShellReaper(List.of());
            reaper.onDeath(List.of("true"));
            reaper.close();
        }
        await().pollDelay(Duration.ZERO)
                .atMost(LIMIT)
                .untilAsserted(() ->
                        assertThat(ProcessHandle.current().children().toList()).isSubsetOf(before));
    }

    @Test
    void nothingIsStartedBeforeTheFirstRegistration() {
        try (ShellReaper reaper = new ShellReaper(List.of())) {
            assertThat(reaper.childPid()).isEmpty();
        }
    }

    @Test
    void childThatWasKilledIsReplacedAndKnowsEverything() throws Exception {
        Path mark = tmp.resolve("mark");
        Path parent = PrivateDirectory.create(tmp.resolve("parent"));
        Process master = HostPrograms.start(
                List.of(), List.of(), "master", parent.toString(), tmp.toString(), "touch", mark.toString());
        try {
            long first = awaitReady(master);
            ProcessHandle.of(first).orElseThrow().destroyForcibly();
            awaitGone(first);
            master.outputWriter().append('\n').flush();
            assertThat(awaitReady(master)).isNotEqualTo(first);
        } finally {
            master.destroyForcibly();
        }

        await("the command run").atMost(LIMIT).until(() -> Files.exists(mark));
        await("directory removed").atMost(LIMIT).until(() -> !Files.exists(parent.resolve("session")));
    }

    @Test
    void wordsArriveAsTheyAre() throws Exception {
        Path parent = PrivateDirectory.create(tmp.resolve("parent"));
        Path out = tmp.resolve("out");
        String[] words = {"a b", "it's", "\"$HOME\"", "back\\slash", "*", "", "; touch " + tmp.resolve("injected")};
        String[] arguments = new String[6 + words.length + 2];
        System.arraycopy(
                new String[] {
                    "master",
                    parent.toString(),
                    tmp.toString(),
                    "sh",
                    "-c",
                    "printf '[%s]' \"$@\" > " + out + ".new; mv " + out + ".new " + out
                },
                0,
                arguments,
                0,
                6);
        arguments[6] = "sh";
        System.arraycopy(words, 0, arguments, 7, words.length);
        arguments[arguments.length - 1] = "end";
        Process master = HostPrograms.start(List.of(), List.of(), arguments);
        awaitReady(master);

        master.destroyForcibly();

        await().atMost(LIMIT).until(() -> Files.exists(out));
        assertThat(Files.readString(out)).isEqualTo("[" + String.join("][", words) + "][end]");
        assertThat(tmp.resolve("injected")).doesNotExist();
        await().atMost(LIMIT).until(() -> !Files.exists(parent.resolve("session")));
    }

    @Test
    void dangerousRegistrationsAreRefused() {
        try (ShellReaper reaper = new ShellReaper(List.of(Path.of("/tmp/fiber-x"), Path.of("/")))) {
            assertThatThrownBy(() -> reaper.removeAtDeath(Path.of("/tmp/fiber-x/../y")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "The directory '/tmp/fiber-x/../y' must not be removed: expected an absolute path without"
                                    + " '..', of at least two names, below one of [/tmp/fiber-x, /].");
            assertThatThrownBy(() -> reaper.removeAtDeath(Path.of("relative/path")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> reaper.removeAtDeath(Path.of("/home")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> reaper.onDeath(List.of("echo", "two\nlines")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The word 'two lines' of a command to run after this process contains a line break or"
                            + " a NUL character; expected neither.");
            assertThat(reaper.childPid()).isEmpty();
        }
        try (ShellReaper reaper = new ShellReaper(List.of(tmp))) {
            assertThatThrownBy(() -> reaper.removeAtDeath(tmp)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void thousandsOfRegistrationsUseFewSlots() {
        try (ShellReaper reaper = new ShellReaper(List.of())) {
            for (int i = 0; i < 5_000; i++) {
                reaper.onDeath(List.of("kill", "-KILL", "-12345")).cancel();
            }
            assertThat(reaper.toString()).isEqualTo("ShellReaper[0 registered, 1 slots]");
        }
    }

    private static long awaitChild(ShellReaper reaper) {
        long pid = await("reaper started")
                .atMost(LIMIT)
                .until(reaper::childPid, OptionalLong::isPresent)
                .getAsLong();
        awaitDeaf(pid);
        return pid;
    }

    private static long awaitReady(Process master) throws IOException {
        BufferedReader reader = master.inputReader();
        String line = reader.readLine();
        assertThat(line).startsWith("ready ");
        long pid = Long.parseLong(line.substring("ready ".length()));
        awaitDeaf(pid);
        return pid;
    }

    /** Waits until the reaper's shell ignores HUP, INT, QUIT and TERM: it has left its group by then. */
    private static void awaitDeaf(long pid) {
        Path status = Path.of("/proc/" + pid + "/status");
        await("signals ignored")
                .pollInterval(Duration.ofMillis(10))
                .atMost(LIMIT)
                .until(() -> Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & DEAF) == DEAF));
    }

    private static void awaitGone(long pid) {
        await("reaper gone")
                .pollDelay(Duration.ZERO)
                .atMost(LIMIT)
                .until(() -> ProcessHandle.of(pid).isEmpty());
    }

    private static void run(String command) throws Exception {
        Process process =
                new ProcessBuilder("/bin/sh", "-c", command).inheritIO().start();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
}
