// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class RunCommandTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofSeconds(200);
    private static final int AFTER_CTRL_C = 130;

    @Test
    void outputAndExitCodeOfAnyCommandArePassedOn() throws Exception {
        Cli.Result result = cli.run("run", "--quiet", "--", "sh", "-c", "echo one; echo two >&2; exit $1", "sh", "7");

        assertThat(result).isEqualTo(new Cli.Result(7, "one\n", "two\n"));
        assertThat(cli.run("ps").out().lines()).hasSize(1);
    }

    @Test
    void aJavaProgramGetsItsArgumentsVariablesPropertiesAndResources() throws Exception {
        Cli.Result result = cli.run(
                "run",
                "--env",
                "SEED=4 2",
                "--memory",
                "64m",
                "java",
                "-Dword=a b",
                "-cp",
                classes(),
                Program.class.getName(),
                "7",
                "--attach",
                "$HOME");

        assertThat(result.out().lines())
                .contains("arguments [7, --attach, $HOME]", "seed 4 2", "property a b")
                .anyMatch(line -> line.matches("heap 6[0-4]"));
        assertThat(result.err()).contains("a complaint", "fiber: job ", " runs on ");
        assertThat(result.code()).isEqualTo(7);
    }

    @Test
    void aJarRunsByItsManifestAndBringsWhatItNames() throws Exception {
        Files.createDirectory(directory.resolve("lib"));
        jar(directory.resolve("lib/program.jar"), new Manifest(), Program.class);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Program.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "lib/program.jar lib/missing.jar");
        jar(directory.resolve("app.jar"), manifest);

        Cli.Result result = cli.run("run", "--quiet", "--", "java", "-jar", "app.jar", "3");

        assertThat(result.out()).startsWith("arguments [3]\n");
        assertThat(result.code()).isEqualTo(3);
    }

    @Test
    void ctrlCAsksTheProgramToEndAndLeavesNothing() throws Exception {
        String script = "trap 'echo asked; exit 3' TERM; echo ready $$; while :; do sleep 0.1; done";
        Process process = cli.builder("run", "--quiet", "--", "sh", "-c", script)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            long pid = Long.parseLong(String.valueOf(out.readLine()).substring("ready ".length()));
            Cli.signal("INT", process.pid());

            assertThat(out.readLine()).isEqualTo("asked");
            assertThat(process.waitFor()).isEqualTo(AFTER_CTRL_C);
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aSecondCtrlCEndsTheProgramByForce() throws Exception {
        String script = "trap 'echo no' TERM; echo ready $$; while :; do sleep 0.1; done";
        Process process = cli.builder("run", "--quiet", "--grace", "10m", "--", "sh", "-c", script)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            long pid = Long.parseLong(String.valueOf(out.readLine()).substring("ready ".length()));
            Cli.signal("INT", process.pid());
            assertThat(out.readLine()).isEqualTo("no");
            Cli.signal("INT", process.pid());

            assertThat(process.waitFor()).isEqualTo(AFTER_CTRL_C);
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void whatCannotRunEndsWith125AndSaysWhy() throws Exception {
        Cli.Result missing = cli.run("run", "--", "no-such-program");
        Cli.Result image = cli.run("run", "--image", "alpine", "--", "true");
        Cli.Result noMain = cli.run("run", "--", "java", "-cp", "lib");

        Cli.Result grace = cli.run("run", "--grace", "soon", "--", "true");

        assertThat(grace.code()).isEqualTo(125);
        assertThat(grace.err()).startsWith("--grace: 'soon' is not a duration");
        assertThat(missing.code()).isEqualTo(125);
        assertThat(missing.err()).startsWith("fiber: ").contains("no-such-program");
        assertThat(image.code()).isEqualTo(125);
        assertThat(image.err())
                .contains("FBR-106 Process 'true' needs IMAGE (image=alpine); backend 'local' does not offer");
        assertThat(noMain.code()).isEqualTo(125);
        assertThat(noMain.err()).contains("FBR-532 The command [java, -cp, lib] ends after 'java'");
    }

    @Test
    void aProgramOfWhichNothingIsHereIsNotSubmitted() throws Exception {
        Cli.Result attached = cli.run("run", "--", "java", "-cp", "my-1.jr:lib/*", "My");
        Cli.Result detached = cli.run("run", "--detach", "--", "java", "-cp", "my-1.jr:lib/*", "My");
        Cli.Result script = cli.run("run", "--dry-run", "--", "java", "-cp", "my-1.jr:lib/*", "My");

        assertThat(attached.code()).isEqualTo(125);
        assertThat(attached.err())
                .startsWith("fiber: FBR-531 No part of the class path of My exists on this host: there is no"
                        + " 'my-1.jr' (from -cp), 'lib/*' (from -cp). Expected jars or directories");
        assertThat(detached).isEqualTo(attached);
        assertThat(script.err()).isEqualTo(attached.err());
        assertThat(directory.resolve("state/fiber/runs")).doesNotExist();
    }

    @Test
    void missingEntriesOfAClassPathAreWarnedOfInOneLine() throws Exception {
        String entries = classes() + ":my-1.jr:lbi/*";
        Cli.Result result = cli.run("run", "--", "java", "-cp", entries, Program.class.getName(), "7");
        Cli.Result quiet = cli.run("run", "--quiet", "--", "java", "-cp", entries, Program.class.getName(), "7");

        assertThat(result.err().lines().filter(line -> line.contains("my-1.jr")))
                .containsExactly(
                        "fiber: warning: there is no 'my-1.jr' (from -cp), 'lbi/*' (from -cp); java silently ignores"
                                + " missing entries");
        assertThat(result.code()).isEqualTo(7);
        assertThat(quiet.err()).doesNotContain("my-1.jr");
    }

    @Test
    void whatTheCommandLineSetsIsSaidToBeFromThere() throws Exception {
        Cli.Result backend = cli.run("run", "--backend", "lokal", "--", "true");
        Cli.Result setting = cli.run("run", "--dry-run", "--backend", "slurm", "-s", "slurm.prtition=x", "--", "true");

        assertThat(backend.err()).startsWith("fiber: FBR-102 Unknown backend 'lokal' (from --backend).");
        assertThat(setting.err())
                .startsWith("fiber: FBR-107 Unknown option 'slurm.prtition' (from -s slurm.prtition). Did you mean"
                        + " 'slurm.partition'?");
    }

    @Test
    void theJavaOfTheSettingsStartsTheProgram() throws Exception {
        Path java = Files.writeString(
                directory.resolve("myjava"), "#!/bin/sh\necho by my java\nexec " + Cli.java() + " \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        List<String> program = List.of("java", "-cp", classes(), Program.class.getName(), "7");

        Cli.Result set = cli.run(words(List.of("run", "--quiet", "-s", "worker.java=" + java, "--"), program));
        Cli.Result variable =
                cli.with("FIBER_WORKER_JAVA", java.toString()).run(words(List.of("run", "--quiet", "--"), program));
        Cli.Result script = cli.run(words(List.of("run", "--dry-run", "-s", "worker.java=" + java, "--"), program));
        List<String> own = new ArrayList<>(program);
        own.set(0, Cli.java());
        Cli.Result named = cli.run(words(List.of("run", "--quiet", "-s", "worker.java=" + java, "--"), own));

        assertThat(set.out()).startsWith("by my java\narguments [7]\n");
        assertThat(set.code()).isEqualTo(7);
        assertThat(variable.out()).startsWith("by my java\n");
        assertThat(script.out()).contains(java.toString());
        assertThat(named.out()).startsWith("arguments [7]\n");
    }

    private static String[] words(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toArray(String[]::new);
    }

    @Test
    void theTimeLimitEndsAProgramWith124() throws Exception {
        Cli.Result result = cli.run("run", "--time-limit", "500ms", "--", "sleep", "1000");

        assertThat(result.code()).isEqualTo(124);
        assertThat(result.err()).contains(" has ended: time limit");
    }

    @Test
    void aDetachedRunIsListedReadKilledAndCleaned() throws Exception {
        String script = "trap 'echo asked; exit 3' TERM; echo begun; while :; do sleep 0.1; done";
        Cli.Result started = cli.run("run", "--detach", "--", "sh", "-c", script);
        assertThat(started.err()).isEmpty();
        String id = started.out().strip();
        assertThat(id).matches("[a-z0-9]{12}");
        assertThat(cli.run("ps").out())
                .contains(id + "   local ")
                .contains("runs on localhost")
                .contains("sh -c trap 'echo asked; exit 3' TERM; echo begun");
        await().atMost(LIMIT)
                .until(() -> cli.run("logs", id.substring(0, 6)).out().contains("begun\n"));

        Cli.Result killed = cli.run("kill", id);

        assertThat(killed.out()).startsWith(id + "  cancelled");
        assertThat(cli.run("logs", "--follow", id).out()).contains("begun\n", "asked\n");
        assertThat(cli.run("ps", "--json").out()).contains("\"exitCode\":143").contains("\"over\":true");
        assertThat(cli.run("clean").out()).contains(id, "1 ended runs. Nothing was removed");
        assertThat(cli.run("clean", "--yes").out()).contains("Removed 1 ended runs");
        assertThat(cli.run("logs", id).err()).contains("FBR-534 No run of this user has an id that begins with '" + id);
        assertThat(directory.resolve("state/fiber/runs")).isEmptyDirectory();
    }

    @Test
    void aDetachedRunThatIsRefusedSaysSoAndLeavesNothing() throws Exception {
        Cli.Result result = cli.run("run", "--detach", "--gpus", "1000", "--", "true");

        assertThat(result.code()).isEqualTo(125);
        assertThat(result.err()).contains("FBR-106 Process 'true' needs GPU");
        assertThat(result.out()).isEmpty();
        assertThat(directory.resolve("state/fiber/runs")).isEmptyDirectory();
    }

    @Test
    void aRunWhoseKeeperWasKilledIsLostAndItsJobIsGone() throws Exception {
        Path pidFile = directory.resolve("pid");
        String script = "echo $$ > " + pidFile + ".new; mv " + pidFile + ".new " + pidFile + "; sleep 1000";
        String id = cli.run("run", "--detach", "--", "sh", "-c", script).out().strip();
        await().atMost(LIMIT).until(() -> Files.exists(pidFile));
        String json = cli.run("ps", "--json").out();
        Cli.signal("KILL", Long.parseLong(json.replaceAll("(?s).*\"pid\":(\\d+).*", "$1")));

        long job = Long.parseLong(Files.readString(pidFile).strip());
        await().atMost(LIMIT)
                .until(() ->
                        ProcessHandle.of(job).filter(ProcessHandle::isAlive).isEmpty());
        assertThat(cli.run("ps").out()).contains(id).contains("lost: its keeper was killed");
        assertThat(cli.run("clean", "--yes").out()).contains("Removed 1 ended runs");
    }

    @Test
    void aRunOfAnotherHostCannotBeKilledHere() throws Exception {
        Run.Keeper elsewhere = new Run.Keeper("login2", 1, Instant.EPOCH);
        Run run = new Run(
                "k3f",
                "local",
                "k3f",
                "sleep 1000",
                elsewhere,
                Instant.EPOCH,
                Run.State.open("1", "runs on n17"),
                Map.of());
        new Runs(directory.resolve("state/fiber/runs")).write(run);

        Cli.Result result = cli.run("kill", "k3");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .isEqualTo(
                        "fiber: FBR-537 The run k3f is kept by a process on the host 'login2'; expected a run of this"
                                + " host. Log in there, and kill it there.\n");
    }

    @Test
    void aBackendWithoutAPlatformKeepsNoRuns() throws Exception {
        Cli.Result ps = cli.run("ps", "--backend", "local");
        Cli.Result all = cli.run("ps", "--all");

        assertThat(ps.code()).isEqualTo(1);
        assertThat(ps.err())
                .isEqualTo("fiber: FBR-569 The backend 'local' keeps no runs: its runs end with the process that has"
                        + " started them. On the host of that process, leave --backend out.\n");
        assertThat(all.err()).startsWith("--all and --set require a platform: name it with --backend.");
    }

    @Test
    void whereARunStandsIsSaidToBeUnknownWhenItsPlatformDoesNotAnswer() throws Exception {
        String nowhere = "unix://" + directory.resolve("docker.sock");
        new Runs(directory.resolve("state/fiber/runs"))
                .write(new Run(
                        "k3f",
                        "docker",
                        "k3g",
                        "sleep 1000",
                        Run.Keeper.PLATFORM,
                        Instant.EPOCH,
                        Run.State.open("c0ffee", "kept by docker"),
                        Map.of("docker.host", nowhere)));

        Cli.Result ps = cli.run("ps");
        Cli.Result logs = cli.run("logs", "k3f");

        assertThat(ps.out()).contains("k3f").contains("kept by docker");
        assertThat(ps.err())
                .startsWith("fiber: the state of 1 runs on 'docker' is unknown: FBR-160 Docker does not answer at "
                        + nowhere);
        assertThat(logs.err()).startsWith("fiber: FBR-160 Docker does not answer at " + nowhere);
        assertThat(cli.run("clean", "--yes").out()).contains("Removed 0 ended runs");
    }

    @Test
    void aRunThatDoesNotEndInTimeIsToldAndCanBeEndedByForce() throws Exception {
        String script = "trap '' TERM; echo begun; while :; do sleep 0.1; done";
        String id = cli.run("run", "--detach", "--grace", "10m", "--", "sh", "-c", script)
                .out()
                .strip();
        await().atMost(LIMIT).until(() -> cli.run("logs", id).out().contains("begun\n"));

        Cli.Result result = cli.run("kill", "--wait", "1s", id);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .startsWith("fiber: FBR-538 The run " + id
                        + " has not ended within 1 s: runs on localhost. Its platform may")
                .contains("'fiber kill --now " + id + "' ends it by force.");
        assertThat(cli.run("kill", "--now", id).out()).startsWith(id + "  cancelled");
    }

    @Test
    void whatWouldBeSubmittedIsPrintedAndNotSubmitted() throws Exception {
        Path touched = directory.resolve("touched");
        Cli.Result local = cli.run("run", "--dry-run", "-e", "SEED=4 2", "--", "touch", touched.toString());
        Cli.Result refused = cli.run("run", "--dry-run", "--gpus", "1000", "--", "true");

        assertThat(local.out()).startsWith("# touch\n").contains("'SEED=4 2'").endsWith("touch " + touched + "\n");
        assertThat(local.code()).isZero();
        assertThat(touched).doesNotExist();
        assertThat(refused.code()).isEqualTo(125);
        assertThat(refused.err()).startsWith("fiber: FBR-106 Process 'true' needs GPU");
        assertThat(cli.run("ps").out().lines()).hasSize(1);
    }

    @Test
    void dryRunNeitherStartsARunNorBuildsAnImage() throws Exception {
        Cli.Result detached = cli.run("run", "--dry-run", "--detach", "--", "true");
        Cli.Result image = cli.run("run", "--dry-run", "--push-image", "registry.example.org/app", "--", "true");

        assertThat(detached.code()).isZero();
        assertThat(detached.out()).startsWith("# true\n");
        assertThat(cli.run("ps").out().lines()).hasSize(1);
        assertThat(image.code()).isEqualTo(125);
        assertThat(image.err())
                .isEqualTo("--dry-run builds no image: leave the image's option out.\nSee 'fiber run --help'.\n");
    }

    @Test
    void standardInputIsPassedOnToAProgramOfThisHost() throws Exception {
        Path lines = Files.writeString(directory.resolve("lines"), "b\na\n");
        ProcessBuilder command =
                cli.builder("run", "--quiet", "-i", "--", "sort").redirectInput(lines.toFile());
        Process sort = command.redirectError(ProcessBuilder.Redirect.INHERIT).start();

        assertThat(new String(sort.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("a\nb\n");
        assertThat(sort.waitFor()).isZero();
    }

    @Test
    void standardInputStaysWhereItIsUnlessItIsAskedFor() throws Exception {
        Path lines = Files.writeString(directory.resolve("lines"), "b\na\n");
        ProcessBuilder command = cli.builder("run", "--quiet", "--", "sort").redirectInput(lines.toFile());
        Process sort = command.redirectError(ProcessBuilder.Redirect.INHERIT).start();

        assertThat(sort.getInputStream().readAllBytes()).isEmpty();
    }

    @Test
    void backendThatCannotPassStandardInputOnRefusesTo() throws Exception {
        Cli.Result result = cli.run("run", "--backend", "slurm", "--dry-run", "-i", "--", "sort");

        assertThat(result.code()).isEqualTo(125);
        assertThat(result.err())
                .isEqualTo(
                        "fiber: FBR-558 --interactive passes standard input to the program, which the backend 'slurm'"
                                + " cannot do. Leave it out, and have the program read a file that its job sees.\n");
    }

    @Test
    void helpSaysFirstWhatTheCommandIsFor() throws Exception {
        assertThat(cli.run("--help").out()).startsWith("Run Java programs on Docker, Kubernetes or Slurm.\n");
        assertThat(cli.run("-V").out()).matches("fiber .+, Java .+\n");
        assertThat(cli.run("--version")).isEqualTo(cli.run("-V"));
    }

    @Test
    void completionIsAScriptOfTheShell() throws Exception {
        Path script = Files.writeString(
                directory.resolve("complete"), cli.run("generate-completion").out());
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + script + " && COMP_WORDS=(fiber run --pu) COMP_CWORD=2"
                                + " && _complete_fiber && printf '%s\\n' \"${COMPREPLY[@]}\"")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();

        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("--push-image\n");
    }

    /** The entry of the class path that has this test. */
    private static String classes() throws Exception {
        return Path.of(Program.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    private static void jar(Path file, Manifest manifest, Class<?>... types) throws IOException {
        try (OutputStream bytes = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (Class<?> type : types) {
                String name = type.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(name));
                try (var content = type.getResourceAsStream("/" + name)) {
                    assertThat(content).isNotNull();
                    content.transferTo(jar);
                }
            }
        }
    }
}
